"""OpenAPI descriptions of every version, read into the IR."""
