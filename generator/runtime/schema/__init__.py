"""Schemas at run time: validation, coercion, and conversion between JSON and Python values."""
