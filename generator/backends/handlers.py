"""handlers.py of an API's server: written once, then the user's; with stubs, a function for each operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.python_text import MAX_LINE
from . import env
from .identifiers import Annotation, BrokenAnnotation, Identifier, PythonText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..ir.signature import Signature, SignatureArgument

PATH = "handlers.py"


def handlers(stubs: Sequence[Signature], *, models: bool) -> bytes:
    """Return the file; `models` says that the package has models.py."""
    functions = [_function(each) for each in stubs]
    uses_models = any("models." in text for each in stubs for text in _annotations(each))
    values: dict[str, env.Value] = {
        "models": models,
        "uses_models": uses_models,
        "functions": functions,
        "renames": any(_renamed(each) for each in stubs),
    }
    return env.render("server/handlers.py.jinja", env.PYTHON, values)


def _function(signature: Signature) -> dict[str, env.Value]:
    return {
        "name": Identifier(signature.function),
        "operation": PythonText(signature.operation),
        "wide": _width(signature) > MAX_LINE,
        "result": Annotation(signature.result),
        "renamed": _renamed(signature),
        "arguments": [
            {
                "name": Identifier(each.parameter),
                "annotation": _written(each),
                "optional": not each.required,
            }
            for each in signature.arguments
        ],
    }


def _written(argument: SignatureArgument) -> Annotation | BrokenAnnotation:
    """Return a parameter's annotation, with an arm a line where the parameter is too long for one."""
    text = _annotation(argument.annotation, required=argument.required)
    line = f"    {argument.parameter}: {text}{'' if argument.required else ' = None'},"
    return Annotation(text) if len(line) <= MAX_LINE else BrokenAnnotation(text)


def _renamed(signature: Signature) -> list[env.Value]:
    """Return the arguments whose names are not their parameters' names."""
    return [
        {"wire": PythonText(each.argument), "text": PythonText(each.parameter)}
        for each in signature.arguments
        if each.argument != each.parameter
    ]


def _annotation(annotation: str, *, required: bool) -> str:
    if required or annotation == "object" or "None" in annotation.split(" | "):
        return annotation
    return f"{annotation} | None"


def _annotations(signature: Signature) -> list[str]:
    return [signature.result, *(each.annotation for each in signature.arguments)]


def _width(signature: Signature) -> int:
    """Return the columns of a function's first line when it is not broken."""
    parts = [
        f"{each.parameter}: {_annotation(each.annotation, required=each.required)}{'' if each.required else ' = None'}"
        for each in signature.arguments
    ]
    return len(f"def {signature.function}(*, {', '.join(parts)}) -> {signature.result}:")
