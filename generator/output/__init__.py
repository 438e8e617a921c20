"""Writing, checking and comparing a tree of files."""
