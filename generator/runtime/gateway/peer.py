"""The client's half of one connection to a child, without input or output: requests out, messages in."""
