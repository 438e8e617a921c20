"""Text to values: JSON or YAML by what the text is, not by its name. The YAML parser is imported when there is YAML.

No value is garbage until the whole document is built, so the collector is off meanwhile: it would only walk them.
"""

from __future__ import annotations

from ...collector import uncollected
from .json_text import NotJson, load_json
from .load_problem import TextProblem

ESCAPE_REFUSED = "Unicode character escape"
"""What libyaml says to `\\ud83d\\ude00`, JSON's way to write an emoji, which YAML 1.2 does not have."""


def load_text(text: str, *, c_parser: bool = True) -> tuple[object, bool]:
    """Return a text's value, and whether it is JSON; raises TextProblem."""
    beginning = text.lstrip()[:1] if text[:1].isspace() else text[:1]
    if not beginning:
        raise TextProblem("invalid-syntax", "the file is empty", 0)
    with uncollected():
        if beginning not in "{[":
            return _load_yaml(text, c_parser=c_parser), False
        try:
            return load_json(text), True
        except NotJson as problem:
            refused = TextProblem("invalid-syntax", f"not JSON: {problem.message}", problem.offset)
        try:
            return _load_yaml(text, c_parser=c_parser), False
        except TextProblem as problem:
            unclear = problem.rule == "invalid-syntax" and ESCAPE_REFUSED not in problem.message
            raise (refused if unclear else problem) from None


def _load_yaml(text: str, *, c_parser: bool) -> object:
    from .yaml_text import load_yaml

    return load_yaml(text, c_parser=c_parser)
