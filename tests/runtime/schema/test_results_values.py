"""Values of the standard library and of known kinds of classes get one documented JSON form."""

from __future__ import annotations

import array
import collections
import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import ipaddress
import itertools
import pathlib
import re
import types
import uuid
import zoneinfo
from typing import NamedTuple

import attrs
import numpy as np
import pytest
from conversion_samples import Color, Level, Mixed, Mode, Opaque, Perm, Point, Pt, Unprintable
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AnyUrl, BaseModel, Field, RootModel, SecretStr, computed_field, field_serializer
from pydantic.dataclasses import dataclass as pydantic_dataclass

from generator.runtime.schema.results import Bounds, ResultProblem, to_json


def problem_of(value, **bounds):
    with pytest.raises(ResultProblem) as caught:
        to_json(value, limits=Bounds(**bounds))
    return caught.value


class Text(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "not the characters"


class Number(int):
    def __repr__(self) -> str:
        return "not the digits"


class Ratio(float):
    pass


class OddValues(enum.Enum):
    ONE = decimal.Decimal(1)
    TWO = "two"


class Fields(NamedTuple):
    a: int
    b: bytes


@attrs.define
class Attr:
    _hidden: int
    when: dt.date


@dataclasses.dataclass(slots=True)
class Slotted:
    raw: bytes
    inner: Point


UTC = dt.UTC

VALUES = [
    (Color.RED, "red"),
    (Level.HIGH, 2),
    (Mode.FAST, "fast"),
    (Mixed.N, None),
    (Opaque.X, "X"),
    (OddValues.TWO, "TWO"),
    (Perm.R | Perm.X, 5),
    (Perm(0), 0),
    (dt.datetime(2020, 1, 2, 3, 4, 5, 6, tzinfo=UTC), "2020-01-02T03:04:05.000006+00:00"),
    (dt.date(2020, 1, 2), "2020-01-02"),
    (dt.time(3, 4), "03:04:00"),
    (dt.timedelta(hours=1, seconds=1), "PT1H1S"),
    (b"\xff\x00", "/wA="),
    (bytearray(b"hi"), "aGk="),
    (memoryview(b"hxix")[::2], "aGk="),
    ({3, 1, 2}, [1, 2, 3]),
    (frozenset({"b", "a"}), ["a", "b"]),
    ({1, 2.5}, [1, 2.5]),
    ({2, 10, "a", None}, [None, 2, 10, "a"]),
    ({Color.RED, Color.BLUE}, ["blue", "red"]),
    ({frozenset({2}), frozenset({1})}, [[1], [2]]),
    ({decimal.Decimal(10), decimal.Decimal(9)}, ["9", "10"]),
    (set(), []),
    (collections.deque([1, (2,)]), [1, [2]]),
    ((1, "a"), [1, "a"]),
    (range(3), [0, 1, 2]),
    ({"a": 1}.keys(), ["a"]),
    ({"b": 1, "a": 2}.values(), [1, 2]),
    ({"a": 1}.items(), [["a", 1]]),
    (iter([1, 2]), [1, 2]),
    ((n for n in range(3)), [0, 1, 2]),
    (map(str, [1]), ["1"]),
    (array.array("i", [1, 2]), [1, 2]),
    (pathlib.PurePosixPath("/tmp/a"), "/tmp/a"),
    (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (decimal.Decimal("1.10"), "1.10"),
    (fractions.Fraction(1, 3), "1/3"),
    (ipaddress.ip_address("127.0.0.1"), "127.0.0.1"),
    (ipaddress.ip_network("2001:db8::/32"), "2001:db8::/32"),
    (ipaddress.ip_interface("10.1.2.3/8"), "10.1.2.3/8"),
    (zoneinfo.ZoneInfo("UTC"), "UTC"),
    (re.compile("a+"), "a+"),
    (re.compile(b"a+"), "a+"),
    (1 + 2j, "1+2j"),
    (Text("chars"), "chars"),
    (Number(5), 5),
    (Ratio(1.5), 1.5),
    (collections.UserString("text"), "text"),
    (collections.UserList([1]), [1]),
    (collections.OrderedDict(b=1, a=(1,)), {"b": 1, "a": [1]}),
    (collections.Counter("aab"), {"a": 2, "b": 1}),
    (collections.defaultdict(list, a=[1]), {"a": [1]}),
    (collections.ChainMap({"a": 1}), {"a": 1}),
    (types.MappingProxyType({"a": 1}), {"a": 1}),
    (types.SimpleNamespace(a=1), {"a": 1}),
    ({1: "a"}, {"1": "a"}),
    ({Color.RED: 1, uuid.UUID(int=1): 2}, {"red": 1, "00000000-0000-0000-0000-000000000001": 2}),
    ({True: 1, 2.5: 2, Text("k"): 3}, {"true": 1, "2.5": 2, "k": 3}),
    (Fields(1, b"hi"), {"a": 1, "b": "aGk="}),
    (collections.namedtuple("NT", "a b")(1, 2), {"a": 1, "b": 2}),  # noqa: PYI024  # the untyped form is the point
    (Attr(1, dt.date(2020, 1, 2)), {"hidden": 1, "when": "2020-01-02"}),
    (Slotted(b"hi", Point(1)), {"raw": "aGk=", "inner": {"x": 1, "y": 0}}),
    ([Pt(1), {"p": Point(1, 2)}], [{"x": 1, "y": 0}, {"p": {"x": 1, "y": 2}}]),
    (np.int64(3), 3),
    (np.float32(0.5), 0.5),
    (np.bool_(True), True),
    (np.float64("nan"), None),
    (np.longdouble(1.5), 1.5),
    (np.arange(4).reshape(2, 2), [[0, 1], [2, 3]]),
    (np.array([1.5, np.nan]), [1.5, None]),
    (np.datetime64("2020-01-02"), "2020-01-02"),
    (np.datetime64("NaT", "ns"), None),
    (np.timedelta64(90, "s"), "PT1M30S"),
    (np.array(["2020-01-02", "NaT"], dtype="datetime64[D]"), ["2020-01-02", None]),
    ({np.int64(1): np.str_("x")}, {"1": "x"}),
]


def _only_plain(value):
    if type(value) is dict:
        return all(type(key) is str and _only_plain(item) for key, item in value.items())
    if type(value) is list:
        return all(map(_only_plain, value))
    return type(value) in (str, int, float, bool, type(None))


@pytest.mark.parametrize(("value", "expected"), VALUES, ids=lambda value: type(value).__name__)
def test_a_value_has_its_documented_json_form_of_plain_types_only(value, expected):
    converted = to_json(value)
    assert converted == expected
    assert _only_plain(converted)


def test_a_set_of_any_mixture_is_in_the_same_order_whatever_the_hash_seed():
    members = [uuid.UUID(int=2), "b", 3, None, Color.RED, (1, 2), "a"]
    first = to_json(set(members))
    assert first == to_json(frozenset(members[::-1]))


class Model(BaseModel):
    full_name: str = Field(alias="fullName")
    secret: str = Field(default="s", exclude=True)
    token: SecretStr = SecretStr("hush")
    link: AnyUrl = AnyUrl("https://a.example/")
    raw: bytes = b"hi"
    model_config = {"populate_by_name": True}

    @computed_field
    @property
    def length(self) -> int:
        return len(self.full_name)

    @field_serializer("raw", when_used="json")
    def write_raw(self, value: bytes) -> str:
        return value.hex()


class Loose(BaseModel):
    model_config = {"arbitrary_types_allowed": True}
    value: object = None


class Measured(BaseModel):
    value: float


class Ids(RootModel[list[int]]):
    pass


@pydantic_dataclass
class Aliased:
    a: int = Field(serialization_alias="A")


def test_a_pydantic_model_is_sent_as_it_serialises_itself():
    assert to_json(Model(fullName="Ann")) == {
        "fullName": "Ann",
        "token": "**********",
        "link": "https://a.example/",
        "raw": "6869",
        "length": 3,
    }
    assert to_json([Ids([1, 2])]) == [[1, 2]]
    assert to_json(Aliased(a=1)) == {"A": 1}


def test_pydantics_own_value_types_are_text_and_secrets_stay_secret():
    assert to_json([AnyUrl("https://a.example/"), SecretStr("hush")]) == ["https://a.example/", "**********"]


def test_what_pydantic_cannot_write_is_converted_here_or_named():
    assert to_json(Loose(value=b"\xff")) == {"value": "/w=="}
    problem = problem_of([Loose(value=Plain())])
    assert (problem.path, problem.message) == ("result[0].value", "Plain has no JSON form")
    assert problem_of({"m": Measured(value=float("nan"))}).path == "result.m.value"


class OldModel:
    """A pydantic 1 model as far as results are concerned."""

    __fields__ = ()

    def dict(self, *, by_alias: bool) -> dict[str, object]:
        return {"by_alias": by_alias, "when": dt.date(2020, 1, 2)}


OldModel.__module__, OldModel.__qualname__ = "pydantic.main", "BaseModel"


def test_a_pydantic_1_model_is_sent_by_alias():
    assert to_json(OldModel()) == {"by_alias": True, "when": "2020-01-02"}


class Frame:
    """A table as far as duck typing is concerned (pandas itself is too large a test dependency)."""

    iloc = object()
    columns = types.SimpleNamespace(is_unique=True)

    def __init__(self, rows, *, unique=True):
        self.rows = rows
        self.columns = types.SimpleNamespace(is_unique=unique)

    def to_dict(self, orient):
        assert orient == "records"
        return self.rows


class NaTType(dt.datetime):
    pass


NaTType.__module__ = "pandas._libs.tslibs.nattype"


def test_a_table_is_sent_as_its_rows_with_missing_values_as_null():
    when = dt.datetime(2020, 1, 1)  # noqa: DTZ001  # pandas' timestamps are naive
    rows = [{"a": 1, "t": when, "f": 1.5}, {"a": 2, "t": NaTType(1, 1, 1), "f": float("nan")}]
    assert to_json(Frame(rows)) == [
        {"a": 1, "t": "2020-01-01T00:00:00", "f": 1.5},
        {"a": 2, "t": None, "f": None},
    ]
    assert problem_of(Frame([], unique=False)).reason == "duplicate-key"
    assert problem_of(Frame([{"a": float("inf")}])).path == "result[0].a"


def test_nan_is_null_only_inside_the_libraries_that_mean_missing_by_it():
    assert problem_of([np.float64("nan"), float("nan")]).path == "result[1]"


class Plain:
    pass


class Hostile:
    def __getattribute__(self, name: str) -> object:
        raise Unprintable

    def __iter__(self):
        raise Unprintable


class Breaks(collections.UserDict):
    def items(self):
        raise ValueError("boom")


class Unnamed(type):
    @property
    def __name__(cls) -> str:
        raise RuntimeError("no name")


class WithUnnamed(metaclass=Unnamed):
    pass


UNSENDABLE = [
    (Plain, "Plain has no JSON form"),
    (lambda: Plain, "type has no JSON form"),
    (lambda: len, "builtin_function_or_method has no JSON form"),
    (lambda: Ellipsis, "ellipsis has no JSON form"),
    (WithUnnamed, "WithUnnamed has no JSON form"),
    (lambda: ValueError("x"), "ValueError has no JSON form"),
    (Breaks, "Breaks could not be turned into JSON: ValueError: boom"),
    (Hostile, "Hostile could not be turned into JSON: Unprintable: Unprintable"),
    (lambda: decimal.Decimal("NaN"), "the Decimal is not a finite number"),
    (lambda: pathlib.PurePosixPath("\udcff"), "the text has a lone surrogate at character 0, which is not Unicode"),
]


@pytest.mark.parametrize(("make", "said"), UNSENDABLE, ids=[said for _, said in UNSENDABLE])
def test_what_cannot_be_sent_is_named_by_its_class_and_nothing_else(make, said):
    assert problem_of(make()).message == said


def test_an_open_file_is_not_data(tmp_path):
    path = tmp_path / "secret"
    path.write_text("secret", encoding="utf-8")
    with path.open(encoding="utf-8") as file:
        assert problem_of(file).message == "TextIOWrapper has no JSON form"


def test_a_dataclass_field_that_was_never_set_is_named():
    half = Slotted.__new__(Slotted)
    assert problem_of(half).message == "the field `raw` of Slotted is not set"


def test_a_record_that_contains_itself_is_a_cycle():
    node = Point(1)
    node.x = node
    assert (problem_of(node).path, problem_of(node).reason) == ("result.x", "circular-reference")


def test_an_endless_generator_ends_at_the_bound_and_is_closed():
    closed = []

    def endless():
        try:
            yield from itertools.count()
        finally:
            closed.append(True)

    problem = problem_of(endless(), drained=100)
    assert (problem.reason, problem.message) == ("too-many-values", "generator gave more than 100 items")
    assert closed == [True]
    assert problem_of({"n": itertools.count()}, drained=100).path == "result.n[100]"


def test_draining_stops_when_the_call_is_over():
    answers = iter([False, False, True])
    problem = problem_of((n for n in range(9)), stop=lambda: next(answers))
    assert (problem.reason, problem.path) == ("stopped", "result[2]")


def test_a_generator_that_fails_keeps_its_own_exception_as_the_cause():
    def fails():
        yield 1
        raise ValueError("boom")

    problem = problem_of(fails())
    assert (problem.path, problem.message) == ("result[1]", "ValueError after 1 items: boom")
    assert isinstance(problem.__cause__, ValueError)


def test_classes_made_at_run_time_do_not_collect_for_ever():
    from generator.runtime.schema import results_rules

    for _ in range(results_rules.MAX_KNOWN + 10):
        made = dataclasses.make_dataclass("Made", [("a", int)])
        assert to_json(made(1)) == {"a": 1}
    assert len(results_rules._known) <= results_rules.MAX_KNOWN


@given(st.sets(st.one_of(st.integers(), st.text(), st.none(), st.booleans(), st.binary()), max_size=8))
def test_every_set_of_scalars_is_sent(values):
    assert len(to_json(values)) == len(values)
