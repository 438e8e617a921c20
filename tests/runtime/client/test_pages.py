"""Where the next page is, in the ways APIs say it."""

from __future__ import annotations

import pytest

from generator.runtime.client.message import Response
from generator.runtime.client.pages import next_arguments

from .made import query

PARAMETERS = query("page", "limit", "cursor", "page_token", "offset", "nextToken", "$skiptoken")
TYPES = {"page": {"type": "integer"}, "offset": {"type": ["integer", "null"]}, "cursor": {"type": "string"}}


def told(value=None, arguments=None, parameters=PARAMETERS, **headers):
    response = Response(200, headers=[(name.replace("_", "-"), text) for name, text in headers.items()])
    return next_arguments(response, value, parameters, arguments or {}, TYPES)


@pytest.mark.parametrize(
    "link",
    [
        '<https://api.example/pets?page=2>; rel="next"',
        "<https://api.example/pets?page=2>; rel=next",
        '<https://api.example/pets?page=1>; rel="prev", </pets?page=2>; title="a, b"; rel="last next"',
        "<?page=2>;REL=Next",
    ],
)
def test_a_link_header_leads_to_arguments(link):
    assert told(Link=link) == {"page": 2}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"next": "https://api.example/pets?page=3&limit=10"}, {"page": 3}),
        ({"next": None}, None),
        ({"next": "/pets?cursor=abc"}, {"cursor": "abc"}),
        ({"next_page_token": "t0k"}, {"page_token": "t0k"}),
        ({"metadata": {"next_cursor": "c"}}, {"cursor": "c"}),
        ({"nextPageToken": "t0k"}, {"page_token": "t0k"}),
        ({"nextPageToken": ""}, None),
        ({"nextCursor": "c"}, {"cursor": "c"}),
        ({"response_metadata": {"next_cursor": "c"}}, {"cursor": "c"}),
        ({"links": {"next": "https://api.example/pets?page=4"}}, {"page": 4}),
        ({"_links": {"next": {"href": "/pets?page=5"}}}, {"page": 5}),
        ({"meta": {"next_page": 6}}, {"page": 6}),
        ({"pagination": {"next_offset": 20}}, {"offset": 20}),
        ({"nextToken": "aws"}, {"nextToken": "aws"}),
        ({"@odata.nextLink": "https://api.example/pets?%24skiptoken=7"}, {"$skiptoken": "7"}),
        ({"has_more": False, "next_cursor": "c"}, None),
        ({"next_cursor": 5}, {"cursor": "5"}),
        ([1, 2], None),
        (None, None),
    ],
)
def test_members_lead_to_arguments(value, expected):
    assert told(value, {"limit": "10"}) == expected


def test_members_of_an_object_in_the_query_are_put_beside_the_given_ones():
    parameters = query("page", style="deepObject")
    types = {"page": {"type": "object", "properties": {"number": {"type": "integer"}}}}
    response = Response(200, headers=[("Link", '</x?page[number]=2&page%5Bsize%5D=10&other[a]=1>; rel="next"')])
    first = next_arguments(response, None, parameters, {"page": {"number": 1, "sort": "a"}}, types)
    assert first == {"page": {"number": 2, "sort": "a", "size": "10"}}
    assert next_arguments(response, None, parameters, {"page": {"number": 2, "size": "10"}}, types) is None
    assert next_arguments(response, None, query("page"), {}, {}) is None


def test_a_page_that_is_this_one_is_no_next_one():
    assert told({"next": "/pets?page=3"}, {"page": 3}) is None


def test_what_no_argument_takes_is_not_told():
    assert told({"next": "https://api.example/pets?key=SECRET"}) is None
    assert told({"next_cursor": "c"}, parameters=query("q")) is None


@pytest.mark.parametrize(
    "link", ["<", "<>; rel=next", "<http://[bad>; rel=next", "<x?" + "a&" * 500 + ">; rel=next", ";;"]
)
def test_a_broken_link_is_no_link(link):
    assert told(Link=link) is None
