"""From what a user names to a gateway in memory: the words, the servers they name, and the pipeline of many servers."""
