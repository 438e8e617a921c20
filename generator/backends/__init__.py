"""What the IR becomes: trees of files, `{path: bytes}`. Nothing here reads or writes a file of the user."""
