"""Read path templates, and refuse those with which a request could leave the operation's place.

A template is sent as it is written, apart from its parameters, so everything that changes what a URL means is refused
here: `//` and dot segments (also percent-encoded), control characters, braces that do not pair. Two things that
descriptions in use do are served: a fixed query (`/responses?beta=true`) stays part of the path, and a fragment
(`/{Bucket}#uploads`), which only tells two operations of one path apart, is never sent.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ..limits import MAX_PATH_LENGTH
from .findings import Unreadable
from .values import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..place import Place

EXPRESSION = re.compile(r"\{([^{}]*)\}")
FIXED_QUERY = re.compile(r"[A-Za-z0-9._~!$'()*,;:@/?%=+-]+")
QUERY_PARAMETER = re.compile(r"([A-Za-z0-9._~$\[\]-]+)=\{([^{}]+)\}")
CONTROL_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
MODIFIERS = "./;?&+#"
"""RFC 6570's operators, which some descriptions write into OpenAPI's templates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathTemplate:
    """A path as it is sent, perhaps with a fixed query.

    `names` are its parameters in order; `query_names` maps names that were written into the query to their keys.
    """

    path: str
    fragment: str = ""
    names: tuple[str, ...] = ()
    query_names: Mapping[str, str] = field(default_factory=dict)

    def known_as(self, declared: frozenset[str]) -> PathTemplate:
        """Return the template without RFC 6570's operators where only the bare name is declared."""
        renamed = {}
        for name in self.names:
            bare = name.lstrip(MODIFIERS).rstrip("*")
            if name not in declared and bare in declared:
                renamed[name] = bare
        if not renamed:
            return self
        path = EXPRESSION.sub(lambda match: "{" + renamed.get(match[1], match[1]) + "}", self.path)
        names = tuple(dict.fromkeys(renamed.get(name, name) for name in self.names))
        return PathTemplate(path=path, fragment=self.fragment, names=names, query_names=self.query_names)


def read_template(written: str, place: Place) -> PathTemplate:
    """Take a path template apart; raises Unreadable when it must not be sent."""
    if not written.startswith("/"):
        raise _refused(written, "does not begin with `/`", place)
    if len(written) > MAX_PATH_LENGTH:
        raise _refused(written, f"has more than {MAX_PATH_LENGTH:,} characters", place)
    if any(unicodedata.category(each) in CONTROL_CATEGORIES for each in written):
        raise _refused(written, "has a control character", place)
    rest, _, fragment = written.partition("#")
    path, mark, query = rest.partition("?")
    _check_segments(path, written, place)
    if "{" in EXPRESSION.sub("", path) or "}" in EXPRESSION.sub("", path):
        raise _refused(written, "has a brace without its partner", place)
    names = tuple(dict.fromkeys(EXPRESSION.findall(path)))
    if any(not name.strip() for name in names):
        raise _refused(written, "has a parameter without a name", place)
    fixed, query_names = _read_query(query, written, place) if mark else ([], {})
    if fixed:
        path += "?" + "&".join(fixed)
    return PathTemplate(path=path, fragment=fragment, names=names, query_names=query_names)


def _check_segments(path: str, written: str, place: Place) -> None:
    decoded = unquote(path).replace("\\", "/")
    if "//" in decoded:
        raise _refused(written, "has `//`", place)
    if any(segment.partition(";")[0].strip() in (".", "..") for segment in decoded.split("/")):
        raise _refused(written, "has a dot segment", place)


def _read_query(query: str, written: str, place: Place) -> tuple[list[str], dict[str, str]]:
    fixed, names = [], {}
    for piece in filter(None, query.split("&")):
        match = QUERY_PARAMETER.fullmatch(piece)
        if match:
            names[match[2]] = match[1]
        elif FIXED_QUERY.fullmatch(piece):
            fixed.append(piece)
        else:
            raise _refused(written, "has a query that cannot be sent as it is", place)
    return fixed, names


def _refused(written: str, why: str, place: Place) -> Unreadable:
    return Unreadable("unsafe-path", f"path `{shown(written)}` {why}", place)
