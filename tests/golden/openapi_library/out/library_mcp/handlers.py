"""What this server does besides sending requests. The file is yours: from your first edit on it is kept.

Three names are looked for, and each may be missing:

before_request(operation, request) is called before a request is sent, and may change it;
after_response(operation, response) is called before an answer is read, and may change it;
operations has functions that are called in place of a request, with a call's arguments as keywords.

For example, with the operation's method and path as its key:

    from ._runtime.authoring import ToolError
    from ._runtime.client.message import Request, Response

    def before_request(operation: str, request: Request) -> None:
        request.set_header("X-Request-Source", "mcp")

    def after_response(operation: str, response: Response) -> None:
        if response.header("X-Stale"):
            raise ToolError("the API answered from an old copy")

    def ping() -> dict[str, bool]:
        return {"alive": True}

    operations = {"GET /ping": ping}

The types of models.py are those of the description.
"""
