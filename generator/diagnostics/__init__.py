"""Diagnostics as values, the one table of rules, and the renderers."""
