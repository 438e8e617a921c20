"""Build-time work on JSON Schemas, for front ends, passes and back ends alike."""
