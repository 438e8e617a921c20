"""Types of an API's schemas: the only importer of datamodel-code-generator (decision 33).

It sees one closed document of shapes (`model_document`), once, in this process, and formats nothing; what it returns is
parsed, checked and written anew (`model_text`).
"""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .model_document import model_document
from .model_text import ModelsProblem, written

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """The file, and the type of each definition by the definition's name."""

    source: bytes
    names: Mapping[str, str] = field(default_factory=dict)


def make_models(definitions: Mapping[str, Any]) -> Models:
    """Return the types of some definitions (JSON Schema 2020-12); raises ModelsProblem when they cannot be made."""
    document = model_document(definitions)
    try:
        source = _generated({"$defs": document.definitions})
    except ModelsProblem:
        raise
    except Exception as failure:  # a generator of types has many ways to give up, and none of them is the API's fault
        raise ModelsProblem(f"datamodel-code-generator gave up ({type(failure).__name__})") from failure
    return Models(source=written(source, document), names=document.names)


def _generated(document: dict[str, Any]) -> str:
    import datamodel_code_generator as generator
    from datamodel_code_generator.enums import DataModelType

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = generator.generate(
            json.dumps(document),
            input_file_type=generator.InputFileType.JsonSchema,
            output_model_type=DataModelType.TypingTypedDict,
            target_python_version=generator.PythonVersion.PY_311,
            enum_field_as_literal=generator.LiteralType.All,
            formatters=[],
            disable_timestamp=True,
            custom_file_header="",
            use_standard_collections=True,
            use_union_operator=True,
            use_closed_typed_dict=False,
            skip_root_model=True,
        )
    if not isinstance(made, str):
        raise ModelsProblem("datamodel-code-generator made several files of one document")
    return made
