"""XML bodies, read back by the standard library: every part of the XML Object, and nothing an argument could add."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client.values import ArgumentProblem
from generator.runtime.client.xml_body import DECLARATION, MAX_DEPTH, xml_bytes


def xml(value, plan=None, **definitions):
    text = xml_bytes(value, plan, definitions).decode("utf-8")
    ET.fromstring(text.encode())
    return text.removeprefix(DECLARATION)


def test_members_are_elements_and_attributes():
    plan = {"name": "pet", "properties": {"id": {"attribute": True}, "name": {}}}
    assert xml({"id": 1, "name": "rex", "ok": True}, plan) == '<pet id="1"><name>rex</name><ok>true</ok></pet>'


def test_members_have_the_names_that_the_plan_gives():
    plan = {"name": "pet", "properties": {"id": {"name": "nr", "attribute": True}, "name": {"name": "called"}}}
    assert xml({"id": 1, "name": "rex"}, plan) == '<pet nr="1"><called>rex</called></pet>'


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        ({}, "<animals>a</animals><animals>b</animals>"),
        ({"name": "aliens"}, "<animals>a</animals><animals>b</animals>"),
        ({"items": {"name": "animal"}}, "<animal>a</animal><animal>b</animal>"),
        ({"name": "aliens", "items": {"name": "animal"}}, "<animal>a</animal><animal>b</animal>"),
        ({"wrapped": True}, "<animals><animals>a</animals><animals>b</animals></animals>"),
        ({"wrapped": True, "items": {"name": "animal"}}, "<animals><animal>a</animal><animal>b</animal></animals>"),
        ({"wrapped": True, "name": "aliens"}, "<aliens><aliens>a</aliens><aliens>b</aliens></aliens>"),
        (
            {"wrapped": True, "name": "aliens", "items": {"name": "animal"}},
            "<aliens><animal>a</animal><animal>b</animal></aliens>",
        ),
    ],
)
def test_arrays_are_wrapped_and_named_as_the_specification_shows(plan, text):
    assert xml({"animals": ["a", "b"]}, {"name": "zoo", "properties": {"animals": plan}}) == f"<zoo>{text}</zoo>"


@pytest.mark.parametrize(
    ("charset", "declared"), [("iso-8859-1", "iso-8859-1"), ("UTF-16", "UTF-16"), ("utf-8", "UTF-8")]
)
def test_a_document_is_in_the_charset_of_its_media_type_and_says_so(charset, declared):
    plan = {"name": "pet", "properties": {"b": {"attribute": True}}}
    document = xml_bytes({"a": 'ü€ "x"', "b": '€"'}, plan, {}, charset)
    assert document.decode(charset).startswith(f'<?xml version="1.0" encoding="{declared}"?>')
    pet = ET.fromstring(document)
    assert (pet.findtext("a"), pet.get("b")) == ('ü€ "x"', '€"')


@pytest.mark.parametrize(
    ("value", "plan", "charset"),
    [
        ({"a": "€"}, {"properties": {"a": {"cdata": True}}}, "latin-1"),  # CDATA has no references
        ({"€": "a"}, {}, "latin-1"),
        ({"a": "a"}, {}, "unknown"),
        ("<a>€</a>", {}, "latin-1"),
    ],
)
def test_what_a_charset_has_no_way_to_say_is_refused(value, plan, charset):
    with pytest.raises(ArgumentProblem):
        xml_bytes(value, plan, {}, charset)


UNION = {
    "name": "root",
    "choices": [
        {"ref": "Cat", "name": "cat", "only": {"kind": ["c", "Cat"]}},
        {"ref": "Dog", "name": "dog", "needs": ["bark"], "only": {"kind": ["Dog"]}},
    ],
}
CAT = {"properties": {"kind": {}, "m": {"attribute": True}}}
DOG = {"properties": {"kind": {}, "m": {}, "bark": {"attribute": True}}}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"m": 1}, '<cat m="1"/>'),
        ({"m": 1, "bark": 2}, '<dog bark="2"><m>1</m></dog>'),
        ({"kind": "Cat", "bark": 2}, "<cat><kind>Cat</kind><bark>2</bark></cat>"),
        ({"kind": "Dog"}, "<dog><kind>Dog</kind></dog>"),
    ],
)
def test_a_value_of_a_union_is_written_like_the_branch_it_is_most_like(value, text):
    assert xml(value, UNION, Cat=CAT, Dog=DOG) == text
    many = {"name": "zoo", "properties": {"pets": {"items": UNION}, "one": UNION}}
    assert xml({"pets": [value, {"m": 3}]}, many, Cat=CAT, Dog=DOG) == f'<zoo>{text}<cat m="3"/></zoo>'
    assert xml({"one": value}, many, Cat=CAT, Dog=DOG) == f"<zoo>{text}</zoo>"


def test_a_union_of_itself_ends():
    assert xml({"a": 1}, {"ref": "A"}, A={"name": "a", "choices": [{"ref": "A"}]}) == "<a><a>1</a></a>"


def test_an_array_at_the_root_has_one_root_element():
    assert xml([{"a": 1}, {"a": 2}], {"name": "pets", "items": {"name": "pet"}}) == (
        "<pets><pet><a>1</a></pet><pet><a>2</a></pet></pets>"
    )


def test_a_namespace_is_declared_once_where_it_begins():
    plan = {
        "name": "pet",
        "namespace": "urn:p",
        "prefix": "p",
        "properties": {"name": {"namespace": "urn:p", "prefix": "p"}, "id": {"attribute": True, "prefix": "p"}},
    }
    assert xml({"id": 1, "name": "rex"}, plan) == '<p:pet xmlns:p="urn:p" p:id="1"><p:name>rex</p:name></p:pet>'
    assert xml({"a": 1}, {"name": "pet", "namespace": 'urn:"x"'}) == '<pet xmlns="urn:&quot;x&quot;"><a>1</a></pet>'


def test_text_and_cdata_are_content_without_an_element():
    plan = {"name": "p", "properties": {"lang": {"attribute": True}, "value": {"text": True}}}
    assert xml({"lang": "de", "value": "a<b"}, plan) == '<p lang="de">a&lt;b</p>'
    cdata = {"name": "p", "properties": {"value": {"cdata": True}}}
    assert xml({"value": "a]]>b"}, cdata) == "<p><![CDATA[a]]]]><![CDATA[>b]]></p>"


def test_a_member_without_a_node_gives_its_members_to_the_parent():
    plan = {"name": "p", "properties": {"in": {"none": True, "properties": {"id": {"attribute": True}}}}}
    assert xml({"in": {"id": 1, "a": 2}}, plan) == '<p id="1"><a>2</a></p>'


def test_null_is_left_out_and_empty_values_are_empty_elements():
    assert xml({"a": None, "b": "", "c": {}, "d": []}, {"name": "p"}) == "<p><b/><c/></p>"


def test_a_plan_may_refer_to_itself():
    node = {"name": "node", "properties": {"v": {"attribute": True}, "kids": {"items": {"ref": "Node"}}}}
    value = {"v": 1, "kids": [{"v": 2, "kids": [{"v": 3}]}]}
    assert xml(value, {"ref": "Node"}, Node=node) == '<node v="1"><node v="2"><node v="3"/></node></node>'


def test_a_finished_document_is_sent_as_it_is():
    document = "<pet><name>rex</name></pet>"
    assert xml_bytes(document, {"name": "pet", "properties": {}}, {}) == document.encode()
    assert xml("a<b", {"name": "pet"}) == "<pet>a&lt;b</pet>"


@pytest.mark.parametrize("name", ["a b", "", "1a", "a>b", "a/", 'a="1"', "a:b:c", "<a"])
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(ArgumentProblem, match="name"):
        xml({name: "x"}, {"name": "p"})


@pytest.mark.parametrize("text", ["\0", "\x0b", "\ufffe", "\ud800"])
@pytest.mark.parametrize("how", [{}, {"attribute": True}, {"cdata": True}])
def test_a_character_that_xml_cannot_hold_is_refused(text, how):
    with pytest.raises(ArgumentProblem) as caught:
        xml({"a": f"x{text}"}, {"name": "p", "properties": {"a": how}})
    assert caught.value.path == ("a",)


def test_a_value_nested_too_deeply_is_refused():
    value = {}
    for _ in range(MAX_DEPTH + 1):
        value = {"a": value}
    with pytest.raises(ArgumentProblem, match="deeper"):
        xml(value, {"name": "p"})


xml_text = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=12)
names = st.text("abcxyz", min_size=1, max_size=4)


@given(xml_text.map(lambda text: f"{text}\t\n"), xml_text)
def test_text_and_attributes_are_read_back_exactly(text, attribute):
    plan = {"name": "p", "properties": {"t": {"text": True}, "a": {"attribute": True}}}
    root = ET.fromstring(xml_bytes({"t": text, "a": f"{attribute}\n\t"}, plan, {}))
    assert (root.text, root.attrib, len(root)) == (text, {"a": f"{attribute}\n\t"}, 0)


trees = st.recursive(xml_text, lambda inner: st.dictionaries(names, inner, min_size=1, max_size=3), max_leaves=8)


@given(st.dictionaries(names, trees, min_size=1, max_size=3))
def test_objects_are_read_back_as_the_tree_they_were(value):
    def read(element):
        return {child.tag: read(child) for child in element} if len(element) else element.text or ""

    assert read(ET.fromstring(xml_bytes(value, {"name": "root"}, {}))) == value
