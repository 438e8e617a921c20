"""HTTP for OpenAPI operations: from arguments to a request, and from its answer to a result; standard library only."""
