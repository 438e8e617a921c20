"""The table of value types with a JSON form of their own: canonical name -> kind -> schemas and conversion."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

DECIMAL_PATTERN = r"^[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$"
"""What `Decimal` takes as text, without its special values: JSON has no NaN."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar:
    """One value type: its schema as an argument, as a result (None: the same), how an argument is converted."""

    schema: Mapping[str, Any]
    result: Mapping[str, Any] | None = None
    convert: str | Mapping[str, Any] | None = None
    uncommon: bool = False
    json_types: frozenset[str] = field(default=frozenset({"string"}))


def _text(convert: str | None, **keywords: Any) -> Scalar:
    return Scalar(schema={"type": "string", **keywords}, convert=convert)


def _pydantic(name: str, schema: Mapping[str, Any], result: Mapping[str, Any] | None = None) -> Scalar:
    return Scalar(schema=schema, result=result, convert={"pydantic": f"pydantic:{name}"})


_BASE64 = {"type": "string", "contentEncoding": "base64"}
_URI = {"type": "string", "format": "uri"}
_SECRET = {"type": "string", "format": "password", "writeOnly": True}
_URLS = [
    "AnyUrl",
    "AnyHttpUrl",
    "HttpUrl",
    "FileUrl",
    "FtpUrl",
    "WebsocketUrl",
    "AnyWebsocketUrl",
    "PostgresDsn",
    "CockroachDsn",
    "AmqpDsn",
    "RedisDsn",
    "MongoDsn",
    "KafkaDsn",
    "NatsDsn",
    "MySQLDsn",
    "MariaDBDsn",
    "ClickHouseDsn",
    "SnowflakeDsn",
]

SCALARS: Mapping[str, Scalar] = {
    "builtins.bool": Scalar(schema={"type": "boolean"}),
    "builtins.int": Scalar(schema={"type": "integer"}, convert="integer"),
    "builtins.float": Scalar(schema={"type": "number"}, convert="number"),
    "builtins.str": _text(None),
    "builtins.bytes": Scalar(schema=_BASE64, convert="bytes"),
    "builtins.bytearray": Scalar(schema=_BASE64, convert="bytearray"),
    "builtins.complex": Scalar(schema={"type": "string"}, convert="complex", uncommon=True),
    "typing.AnyStr": _text(None),
    "typing.LiteralString": _text(None),
    "datetime.datetime": _text("datetime", format="date-time"),
    "datetime.date": _text("date", format="date"),
    "datetime.time": _text("time", format="time"),
    "datetime.timedelta": _text("timedelta", format="duration"),
    "uuid.UUID": _text("uuid", format="uuid"),
    "decimal.Decimal": Scalar(
        schema={"anyOf": [{"type": "number"}, {"type": "string", "pattern": DECIMAL_PATTERN}]},
        result={"type": "string"},
        convert="decimal",
    ),
    "fractions.Fraction": Scalar(schema={"type": "string"}, convert="fraction", uncommon=True),
    "numbers.Number": Scalar(schema={"type": "number"}),
    "numbers.Complex": Scalar(schema={"type": "number"}),
    "numbers.Real": Scalar(schema={"type": "number"}),
    "numbers.Rational": Scalar(schema={"type": "integer"}, convert="integer"),
    "numbers.Integral": Scalar(schema={"type": "integer"}, convert="integer"),
    "pathlib.Path": _text("path"),
    "pathlib.PosixPath": _text("path"),
    "pathlib.WindowsPath": _text("path"),
    "pathlib.PurePath": _text("purepath"),
    "pathlib.PurePosixPath": _text("pureposixpath"),
    "pathlib.PureWindowsPath": _text("purewindowspath"),
    "os.PathLike": _text(None),
    "ipaddress.IPv4Address": _text("ipv4address", format="ipv4"),
    "ipaddress.IPv6Address": _text("ipv6address", format="ipv6"),
    "ipaddress.IPv4Network": _text("ipv4network"),
    "ipaddress.IPv6Network": _text("ipv6network"),
    "ipaddress.IPv4Interface": _text("ipv4interface"),
    "ipaddress.IPv6Interface": _text("ipv6interface"),
    "re.Pattern": Scalar(schema={"type": "string", "format": "regex"}, convert="pattern"),
    "re.Pattern[bytes]": Scalar(schema={"type": "string", "format": "regex"}, convert="pattern-bytes"),
    "zoneinfo.ZoneInfo": _text("zoneinfo"),
    **{f"pydantic.{name}": _pydantic(name, _URI) for name in _URLS},
    "pydantic.EmailStr": _text(None, format="email"),
    "pydantic.NameEmail": _pydantic("NameEmail", {"type": "string"}),
    "pydantic.SecretStr": _pydantic("SecretStr", _SECRET),
    "pydantic.SecretBytes": _pydantic("SecretBytes", _SECRET),
    "pydantic.IPvAnyAddress": _pydantic("IPvAnyAddress", {"type": "string"}),
    "pydantic.IPvAnyInterface": _pydantic("IPvAnyInterface", {"type": "string"}),
    "pydantic.IPvAnyNetwork": _pydantic("IPvAnyNetwork", {"type": "string"}),
    "pydantic.ByteSize": _pydantic(
        "ByteSize",
        {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string"}]},
        {"type": "integer", "minimum": 0},
    ),
    "pydantic.FilePath": _pydantic("FilePath", {"type": "string"}),
    "pydantic.DirectoryPath": _pydantic("DirectoryPath", {"type": "string"}),
    "pydantic.NewPath": _pydantic("NewPath", {"type": "string"}),
    "pydantic.PastDate": _pydantic("PastDate", {"type": "string", "format": "date"}),
    "pydantic.FutureDate": _pydantic("FutureDate", {"type": "string", "format": "date"}),
    "pydantic.PastDatetime": _pydantic("PastDatetime", {"type": "string", "format": "date-time"}),
    "pydantic.FutureDatetime": _pydantic("FutureDatetime", {"type": "string", "format": "date-time"}),
    "pydantic.AwareDatetime": _pydantic("AwareDatetime", {"type": "string", "format": "date-time"}),
    "pydantic.NaiveDatetime": _pydantic("NaiveDatetime", {"type": "string"}),
    "pydantic.Base64Bytes": _pydantic("Base64Bytes", _BASE64),
    "pydantic.Base64Str": _pydantic("Base64Str", _BASE64),
    "pydantic.Base64UrlBytes": _pydantic("Base64UrlBytes", {"type": "string"}),
    "pydantic.Base64UrlStr": _pydantic("Base64UrlStr", {"type": "string"}),
    **{
        f"pydantic.UUID{version}": _pydantic(f"UUID{version}", {"type": "string", "format": "uuid"})
        for version in range(1, 9)
    },
}
"""Every value type that is understood; a key is also a `ScalarForm.kind`."""
