"""Servers that exist already: project folders, registry entries, and commands or URLs that nobody here made."""
