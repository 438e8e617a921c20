"""The command line of a generated server: few enough options to read them without argparse (7 ms)."""

from __future__ import annotations

USAGE = """usage: {name} [--mcp] [options]

Serve the tools of {name} to an MCP client over standard input and output.

  --mcp, mcp, --stdio      serve over stdio (the default)
  --version                print name and version
  --verbose                say on standard error what is served
  --log-format text|json   form of the log lines on standard error (default text)
  --log-file FILE          write the log to FILE instead
  --dev                    full tracebacks in the log
  --obscure-errors         hide the messages of unexpected exceptions from the client
  -h, --help               print this text
"""

SERVE_WORDS = ("--mcp", "mcp", "--stdio")
FLAGS = ("--verbose", "--dev", "--obscure-errors")
VALUES = ("--log-format", "--log-file")


class UsageError(Exception):
    """The command line cannot be used; the message says why."""


class Options:
    """What the command line asks for; None leaves it to the settings, `show` is text to print instead of serving."""

    __slots__ = ("dev", "log_file", "log_format", "obscure_errors", "show", "verbose")

    def __init__(self) -> None:
        self.dev = False
        self.log_file: str | None = None
        self.log_format: str | None = None
        self.obscure_errors = False
        self.show: str | None = None
        self.verbose = False


def read(arguments: list[str], name: str, version: str) -> Options:
    """Read a command line; raises UsageError."""
    options = Options()
    rest = list(arguments)
    while rest:
        word, _, value = rest.pop(0).partition("=")
        if word in SERVE_WORDS:
            continue
        if word in ("-h", "--help"):
            options.show = USAGE.format(name=name)
        elif word == "--version":
            options.show = f"{name} {version}\n"
        elif word in FLAGS:
            setattr(options, word[2:].replace("-", "_"), True)
        elif word in VALUES:
            value = value or (rest.pop(0) if rest else "")
            if not value:
                raise UsageError(f"{word} needs a value")
            setattr(options, word[2:].replace("-", "_"), value)
        else:
            raise UsageError(f"unknown argument {word}; see --help")
    if options.log_format not in (None, "text", "json"):
        raise UsageError("--log-format is text or json")
    return options
