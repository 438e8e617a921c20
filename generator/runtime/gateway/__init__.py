"""Many servers behind one connection: children are started when they are needed, lists come from a table."""
