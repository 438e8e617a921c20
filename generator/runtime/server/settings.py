"""Application configuration: the values a server's tools need from outside, such as an API token.

A value comes from its environment variable, else from the configuration file, else from its default. The file is
`${XDG_CONFIG_HOME:-~/.config}/mcpgen/<id>/config.json`: one flat JSON object, keys as the catalog names them. Values
are read when a tool that needs one is first called; a missing one is looked for again at each call, so a user can
write the file while the server runs. What the file or a default supplies is put into the environment, where plain
modules look for it.
"""

from __future__ import annotations

import os

from . import logs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FILE = "config.json"

MAX_FILE_BYTES = 1024 * 1024
"""The file holds a few values; anything larger is not that file."""

OPEN_TO_OTHERS = 0o077
"""Permission bits that let others read or change a file."""


class Settings:
    """The values of one server: `entries` is the catalog's `config` object."""

    __slots__ = ("_complaints", "_entries", "_server", "_values")

    def __init__(self, server: str, entries: dict[str, Any]) -> None:
        self._server = server
        self._entries = entries
        self._values: dict[str, str] | None = None
        self._complaints: set[str] = set()

    def needed_by(self, tool: str, named: tuple[str, ...]) -> tuple[str, ...]:
        """Return the required entries that this tool names or that name it."""
        return tuple(
            name
            for name, entry in self._entries.items()
            if entry.get("required", True) and (name in named or tool in entry.get("required_by", ()))
        )

    def missing(self, names: tuple[str, ...]) -> list[tuple[str, str, str]]:
        """Return name, environment variable and description of each value that is not set."""
        values = self.values()
        if any(name not in values for name in names):
            self._values = None
            values = self.values()
        lacking = (name for name in names if name not in values)
        return [(name, self._entries[name]["env"], self._entries[name].get("description", "")) for name in lacking]

    def variable(self, name: str) -> str:
        """Return the environment variable of an entry; its own name when there is no such entry."""
        entry = self._entries.get(name)
        return entry["env"] if entry is not None else name

    def values(self) -> dict[str, str]:
        """Return the values that are set, by name."""
        if self._values is None:
            filed = self._read_file()
            values = {}
            for name, entry in self._entries.items():
                value = self._value(name, entry, filed)
                if value is not None:
                    values[name] = value
            self._values = values
        return self._values

    def unset_in(self, variables: Mapping[str, str]) -> list[str]:
        """Return the names of entries for which neither these variables nor the file nor a default has a value."""
        filed = self._read_file()
        return [
            name
            for name, entry in self._entries.items()
            if not _is_value(variables.get(entry["env"], "")) and filed.get(name, entry.get("default")) is None
        ]

    def look_again(self) -> None:
        """Read the values afresh when they are next asked for."""
        self._values = None

    def secrets(self) -> tuple[str, ...]:
        """Return the values that must not appear in any text."""
        sensitive = [name for name, entry in self._entries.items() if entry.get("sensitive")]
        if not sensitive:
            return ()
        values = self.values()
        return tuple(values[name] for name in sensitive if name in values)

    def __repr__(self) -> str:
        return f"Settings({self._server}: {', '.join(self._entries)})"

    @property
    def file(self) -> str:
        """The configuration file's path as people write it, without the user's home in it."""
        base = "$XDG_CONFIG_HOME" if os.environ.get("XDG_CONFIG_HOME") else "~/.config"
        return f"{base}/mcpgen/{self._server}/{FILE}"

    def _value(self, name: str, entry: dict[str, Any], filed: dict[str, str]) -> str | None:
        variable = entry["env"]
        value = os.environ.get(variable, "")
        if _is_value(value):
            return value
        other = filed.get(name, entry.get("default"))
        if other is None:
            return None
        try:
            os.environ[variable] = str(other)
        except ValueError:  # a NUL character cannot be in the environment
            self._complain(f"the value of `{name}` in {self.file} cannot be an environment variable")
        return str(other)

    def _read_file(self) -> dict[str, str]:
        base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
        path = os.path.join(base, "mcpgen", self._server, FILE)
        try:
            with open(path, "rb") as file:
                mode = os.fstat(file.fileno()).st_mode
                content = file.read(MAX_FILE_BYTES + 1)
        except FileNotFoundError:
            return {}
        except OSError as error:
            self._complain(f"{self.file} cannot be read: {error.strerror}")
            return {}
        return self._checked(content, mode)

    def _checked(self, content: bytes, mode: int) -> dict[str, str]:
        """Return the file's usable values; everything else is complained of, without showing a value."""
        from ..wire import jsonrpc

        try:
            found = jsonrpc.parse(content[3:] if content.startswith(b"\xef\xbb\xbf") else content)
        except jsonrpc.ParseFailure:
            found = None
        if type(found) is not dict or len(content) > MAX_FILE_BYTES:
            self._complain(f"{self.file} is ignored: it is not one flat JSON object")
            return {}
        unknown = sorted(found.keys() - self._entries.keys())
        if unknown:
            known = ", ".join(self._entries)
            self._complain(f"{self.file}: unknown keys {', '.join(name[:60] for name in unknown)}; known are {known}")
        values = {}
        for name in self._entries:
            value = _as_text(found.get(name))
            if value is not None:
                values[name] = value
            elif found.get(name) is not None:
                self._complain(f"{self.file}: `{name}` must be a string, a number or a boolean")
        sensitive = any(self._entries[name].get("sensitive") for name in values)
        if sensitive and os.name == "posix" and mode & OPEN_TO_OTHERS:
            self._complain(f"{self.file} holds secrets and is open to others; run: chmod 600 {self.file}")
        return values

    def _complain(self, text: str) -> None:
        """Warn once about each thing."""
        if text not in self._complaints:
            self._complaints.add(text)
            logs.warning(text)


def _is_value(value: str) -> bool:
    """Tell a value from none, and from a variable that a host left unfilled: `${user_config.token}`."""
    return bool(value) and not (value.startswith("${") and value.endswith("}"))


def _as_text(value: object) -> str | None:
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) in (str, int, float):
        return str(value)
    return None
