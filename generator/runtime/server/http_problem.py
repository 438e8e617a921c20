"""Why a request is refused before the protocol sees it, and the statuses of HTTP by name."""

from __future__ import annotations

REASONS = {
    200: "OK",
    202: "Accepted",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    406: "Not Acceptable",
    408: "Request Timeout",
    411: "Length Required",
    413: "Content Too Large",
    414: "URI Too Long",
    415: "Unsupported Media Type",
    417: "Expectation Failed",
    421: "Misdirected Request",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
    503: "Service Unavailable",
    505: "HTTP Version Not Supported",
}
"""The statuses this server sends, with their phrases (RFC 9110 §15)."""


class HttpProblem(Exception):
    """A request is answered with an HTTP error; the message is fit for the client and repeats nothing of the request.

    `headers` come with the answer; `data` are further members of its JSON body.
    """

    def __init__(self, status: int, message: str, headers: tuple[tuple[str, str], ...] = (), **data: object) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers
        self.data = data

    @property
    def word(self) -> str:
        """The kind of problem for programs: the status's phrase in lower case."""
        return REASONS[self.status].lower().replace(" ", "_")


class StartError(Exception):
    """The server cannot start; the message says what to do."""


class RpcProblem(Exception):
    """A message is answered with a JSON-RPC error; its code says the HTTP status unless `status` does."""

    def __init__(
        self,
        code: int,
        message: str,
        data: object = None,
        *,
        status: int | None = None,
        headers: tuple[tuple[str, str], ...] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.status = status
        self.headers = headers
