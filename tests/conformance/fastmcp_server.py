"""A FastMCP server as its own documentation writes one; run by the interpreter that has FastMCP."""

from fastmcp import FastMCP

server = FastMCP("shelf")


@server.tool
def find_book(title: str, copies: int = 1) -> dict[str, object]:
    """Find a book on the shelf."""
    return {"title": title, "copies": copies}


@server.tool
async def lend(title: str) -> str:
    """Lend a book."""
    return f"lent {title}"


@server.resource("shelf://books")
def books() -> str:
    """List the books."""
    return "Emma\nUlysses"


@server.prompt
def review(title: str) -> str:
    """Ask for a review."""
    return f"Review {title}."


server.run(show_banner=False)
