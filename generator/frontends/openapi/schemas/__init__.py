"""The schemas of a description as JSON Schema 2020-12: for arguments, for answers, and facts that requests need."""

from __future__ import annotations

from .assembly import Assembly, ObjectShape
from .bounding import ANSWER_BYTES, ANSWER_DEPTH, bounded
from .facts import (
    Kind,
    allows_null,
    items_kind,
    kind_of,
    position_kinds,
    property_items,
    property_kinds,
    property_media_types,
    property_node,
)
from .files import FILE_SCHEMA, file_schema
from .findings import SchemaProblem
from .schemas import Schemas
from .xml_plans import xml_plan

__all__ = [
    "ANSWER_BYTES",
    "ANSWER_DEPTH",
    "FILE_SCHEMA",
    "Assembly",
    "Kind",
    "ObjectShape",
    "SchemaProblem",
    "Schemas",
    "allows_null",
    "bounded",
    "file_schema",
    "items_kind",
    "kind_of",
    "position_kinds",
    "property_items",
    "property_kinds",
    "property_media_types",
    "property_node",
    "xml_plan",
]
