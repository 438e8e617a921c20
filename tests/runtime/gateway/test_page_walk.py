"""Lists are read page by page, and a list without an end costs a bounded number of requests."""

from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.gateway.page_walk import PageWalk
from tests.runtime.gateway.test_names import JSON


def test_pages_are_put_together_in_their_order_until_no_cursor_comes():
    walk = PageWalk("tools")
    assert walk.take({"tools": [1, 2], "nextCursor": "a"})
    assert walk.params == {"cursor": "a"}
    assert not walk.take({"tools": [3]})
    assert (walk.items, walk.pages, walk.endless) == ([1, 2, 3], 2, "")


def test_a_walk_that_would_never_end_is_given_up_and_says_why():
    walk = PageWalk("tools")
    assert walk.take({"tools": [1], "nextCursor": "a"})
    assert walk.take({"tools": [2], "nextCursor": "b"})
    assert not walk.take({"tools": [3], "nextCursor": "a"})
    assert walk.endless == "its cursor came before"
    few = PageWalk("tools", most_pages=2)
    assert few.take({"tools": [1], "nextCursor": "a"})
    assert not few.take({"tools": [2], "nextCursor": "b"})
    assert few.endless == "it has more than 2 pages"
    small = PageWalk("tools", most_items=2)
    assert small.take({"tools": [1], "nextCursor": "a"})
    assert not small.take({"tools": [2, 3], "nextCursor": "b"})
    assert (small.items, small.endless) == ([1, 2], "it has more than 2 items")


@given(st.dictionaries(st.sampled_from(["tools", "nextCursor"]), JSON))
def test_no_page_breaks_a_walk(result):
    walk = PageWalk("tools")
    goes_on = walk.take(result)
    assert (walk.page is None) == (not isinstance(result.get("tools"), list))
    assert goes_on == bool(isinstance(result.get("nextCursor"), str) and result["nextCursor"])
