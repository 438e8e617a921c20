"""The command line of a generated server: few enough options to read them without argparse (7 ms)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

USAGE = """usage: {name} [--mcp] [options]
       {name} --http [--host HOST] [--port PORT] [--path PATH] [--tokens FILE] [options]
       {name} --list | --doctor [--json]
       {name} --mcp-install | --mcp-uninstall [--name NAME]

Serve the tools of {name} to an MCP client over standard input and output, or to many over HTTP.

  --mcp, mcp, --stdio      serve over stdio (the default, unless the settings say HTTP)
  --version                print name and version
  --verbose                say on standard error what is served
  --log-format text|json   form of the log lines on standard error (default text)
  --log-file FILE          write the log to FILE instead
  --dev                    full tracebacks in the log
  --obscure-errors         hide the messages of unexpected exceptions from the client
  --events FILE            append an event for each call to FILE, a line of JSON each
  -h, --help               print this text

{about}instead of serving:
  --mcp-install            register this server, for gateways on this machine
  --mcp-uninstall          remove it from the registry
  --name NAME              the name to register it under, or whose entry to remove

with --http (Streamable HTTP; /health and /ready answer probes):
  --host HOST              address to listen on (default 127.0.0.1; another one needs a token)
  --port PORT              port (default 8000); 0 takes a free one, told on standard error
  --path PATH              where the endpoint is (default /mcp)
  --workers N              run tools in N processes of their own, replaced when a tool ends one
  --tokens FILE            who may call: a JSON list of {{"name", "sha256", "scopes"}}
  --token-env NAME         who may call: whoever has the token in this environment variable
  --allow-host NAME        a name this server is reached by, besides localhost; may be repeated
  --allow-origin ORIGIN    an origin whose pages may call (CORS); may be repeated
  --activity               show the calls as they come at /activity, to whoever has a token
"""

ABOUT_SERVER = """about this server, instead of serving:
  --list                   print its tools and what else it has, without importing any of it
  --doctor                 say whether it has the values it needs and whether its modules can be imported
  --json                   with one of these: print JSON

"""
"""What the usage of a single server says besides; a gateway has these words too, and says its own."""

SERVE_WORDS = ("--mcp", "mcp", "--stdio")
FLAGS = ("--verbose", "--dev", "--obscure-errors", "--activity", "--json")
VALUES = ("--log-format", "--log-file", "--events")
INSTALLING = ("--mcp-install", "--mcp-uninstall")
ABOUT = ("--list", "--doctor", "--status")
HTTP_VALUES = ("--host", "--path", "--tokens", "--token-env")
HTTP_LISTS = ("--allow-host", "--allow-origin")
ABOUT_HTTP = ("--port", "--workers", "--activity", *HTTP_VALUES, *HTTP_LISTS)
MAX_WORD = 60
"""Characters of a word that is no option which are repeated."""

DEFAULT_PORT = 8000
MAX_PORT = 65535
MAX_PROCESSES = 64
"""Worker processes; more than there are processors help only tools that hold the interpreter's lock."""


class UsageError(Exception):
    """The command line cannot be used; the message says why."""


class Options:
    """What the command line asks for; None leaves it to the settings, `show` is text to print instead of serving.

    `said` are the words it has. `serve` is what the settings say besides, as `serve_settings` completes it. `registers`
    is the word about the registry, to be done instead of serving, and `name` the entry's; `about` is the word that
    asks about the server.
    """

    __slots__ = (
        "about",
        "activity",
        "allow_host",
        "allow_origin",
        "dev",
        "events",
        "host",
        "http",
        "json",
        "log_file",
        "log_format",
        "name",
        "obscure_errors",
        "path",
        "port",
        "registers",
        "said",
        "serve",
        "show",
        "token_env",
        "tokens",
        "verbose",
        "workers",
    )

    def __init__(self) -> None:
        self.dev = False
        self.log_file: str | None = None
        self.log_format: str | None = None
        self.obscure_errors = False
        self.show: str | None = None
        self.verbose = False
        self.http = False
        self.host = "127.0.0.1"
        self.port = DEFAULT_PORT
        self.path = "/mcp"
        self.workers = 0  # tools run in this process
        self.tokens: str | None = None
        self.token_env: str | None = None
        self.allow_host: list[str] = []
        self.allow_origin: list[str] = []
        self.activity = False
        self.events: str | None = None
        self.registers: str | None = None
        self.name: str | None = None
        self.about: str | None = None
        self.json = False
        self.said: set[str] = set()
        self.serve: dict[str, Any] = {}


def usage(name: str, about: str = ABOUT_SERVER) -> str:
    """Return the text of --help; `about` is what is said of the words that ask about the server."""
    return USAGE.format(name=name, about=about)


def read(arguments: list[str], name: str, version: str, *, transport: str = "stdio") -> Options:
    """Read a command line; `transport` is what is served when it does not say. Raises UsageError."""
    options = Options()
    rest = list(arguments)
    used = options.said
    while rest:
        word, _, value = rest.pop(0).partition("=")
        used.add(word)
        if word in ("-h", "--help"):
            options.show = usage(name)
        elif word == "--version":
            options.show = f"{name} {version}\n"
        elif word in INSTALLING:
            options.registers = word
        elif word in ABOUT:
            options.about = word
        elif word in FLAGS:
            setattr(options, _member(word), True)
        elif word in VALUES or word == "--name":
            setattr(options, _member(word), _value(word, value, rest))
        elif word in ABOUT_HTTP:
            _take_http(options, word, _value(word, value, rest))
        elif word not in SERVE_WORDS and word != "--http":
            raise UsageError(f"unknown argument {word[:MAX_WORD]}; {_meant(word)}")
    options.http = "--http" in used or (transport == "http" and not used.intersection(SERVE_WORDS))
    _check(options, used)
    return options


def _meant(word: str) -> str:
    """Return what to do about a word that is no option."""
    from difflib import get_close_matches

    others = ("--name", "--http", "--help", "--version")
    known = sorted({*FLAGS, *VALUES, *INSTALLING, *ABOUT, *ABOUT_HTTP, *SERVE_WORDS, *others})
    near = get_close_matches(word[:MAX_WORD], known, n=1, cutoff=0.75)
    return f"did you mean {near[0]}? --help has all" if near else "see --help"


def _check(options: Options, used: set[str]) -> None:
    """Refuse what does not go together; raises UsageError."""
    if options.log_format not in (None, "text", "json"):
        raise UsageError("--log-format is text or json")
    _check_about(options, used)
    if options.registers is not None:
        others = used - {options.registers, "--name"}
        if others:
            raise UsageError(f"{options.registers} does not serve, and {min(others)[:MAX_WORD]} is about serving")
    elif options.name is not None:
        raise UsageError("--name goes with --mcp-install or --mcp-uninstall")
    about_http = used.intersection(ABOUT_HTTP)
    if about_http and not options.http:
        raise UsageError(f"{min(about_http)} goes with --http")
    if options.http and "--stdio" in used:
        raise UsageError("--stdio and --http exclude each other")
    if options.tokens is not None and options.token_env is not None:
        raise UsageError("--tokens and --token-env exclude each other")


def _check_about(options: Options, used: set[str]) -> None:
    """Refuse what does not go with a word that asks about the server; raises UsageError."""
    if options.about is None:
        if options.json:
            raise UsageError(f"--json goes with {ABOUT[0]} or {ABOUT[1]}")
        return
    others = used - {options.about, "--json"}
    if others:
        raise UsageError(f"{options.about} does not serve, and {min(others)[:MAX_WORD]} does not go with it")


def _take_http(options: Options, word: str, value: str) -> None:
    """Take an option of the HTTP server; raises UsageError."""
    if word == "--port":
        options.port = _number(word, value, MAX_PORT)
    elif word == "--workers":
        options.workers = _number(word, value, MAX_PROCESSES)
    elif word == "--path" and path_problem(value) is not None:
        raise UsageError(f"--path {path_problem(value)}")
    elif word == "--allow-origin" and "://" not in value:
        raise UsageError("--allow-origin is a scheme and a host, as in https://example.com")
    elif word in HTTP_LISTS:
        getattr(options, _member(word)).append(value)
    else:
        setattr(options, _member(word), value)


def _value(word: str, value: str, rest: list[str]) -> str:
    value = value or (rest.pop(0) if rest else "")
    if not value:
        raise UsageError(f"{word} needs a value")
    return value


def _number(word: str, value: str, most: int) -> int:
    if not value.isascii() or not value.isdigit() or len(value) > 5 or int(value) > most:
        raise UsageError(f"{word} is a number from 0 to {most}")
    return int(value)


def _member(word: str) -> str:
    return word[2:].replace("-", "_")


def path_problem(path: str) -> str | None:
    """Return why the endpoint cannot be at a path, or None."""
    plain = path.replace("/", "").translate(dict.fromkeys(map(ord, "-._~")))
    if not path.startswith("/") or not path.isascii() or not (plain.isalnum() or not plain) or ".." in path:
        return "begins with a slash and has letters, digits and -._~/ only"
    if path in ("/health", "/ready"):
        return f"{path} answers probes"
    if path == "/activity" or path.startswith("/.well-known/"):
        return f"{path} is taken by the server itself"
    return None
