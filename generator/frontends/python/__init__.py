"""Annotated Python, read without importing it."""
