"""The front ends: each reads one kind of source into the IR."""
