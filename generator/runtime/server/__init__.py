"""The server: catalog, session core without I/O, the one caller of user code, and thin shells."""
