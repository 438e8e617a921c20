"""The checks, grouped by what they look at."""
