"""The registry file: which servers are installed on this machine, and how each of them is started."""
