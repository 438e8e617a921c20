"""Docstrings of four styles: description without sections, texts of parameters, results, errors and examples."""

from __future__ import annotations

import ast
from inspect import cleandoc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.frontends.python.docstrings import parse_docstring, raw_docstring
from generator.ir.visible import clean


def doc(text: str):
    return parse_docstring(cleandoc(text))


@pytest.mark.requirement("R060")
def test_google_sections_are_taken_apart():
    found = doc(
        """
        Summary line.

        More text over
        two lines.

        Args:
            a: The first number. Continues on
                the next line.
            b (str, optional): The second: with a colon.
            c (Callable[[int], Tuple[int, str]]): Typed.

        Returns:
            dict: A mapping.

        Raises:
            ValueError: If a is
                negative.
            KeyError: Never.

        Example:
            >>> f(1)
            2
        """
    )
    assert found.description == "Summary line.\n\nMore text over\ntwo lines."
    assert found.parameters == {
        "a": "The first number. Continues on the next line.",
        "b": "The second: with a colon.",
        "c": "Typed.",
    }
    assert found.returns == "A mapping."
    assert found.raises == (("ValueError", "If a is negative."), ("KeyError", "Never."))
    assert found.examples == (">>> f(1)\n2",)


@pytest.mark.parametrize(
    "heading",
    ["Args", "Arguments", "Parameters", "Params", "Keyword Args", "Keyword Arguments", "Other Parameters", "Kwargs"],
)
def test_every_google_heading_of_parameters_is_known(heading):
    assert doc(f"Do.\n\n{heading}:\n    a: Text.\n").parameters == {"a": "Text."}


def test_several_parameter_sections_add_up():
    found = doc("Do.\n\nArgs:\n    a: One.\n\nKeyword Args:\n    b: Two.\n")
    assert found.parameters == {"a": "One.", "b": "Two."}


def test_args_without_a_blank_line_before_them_are_a_section():
    found = doc("Summary.\nArgs:\n    a: The number.\nReturns:\n    The sum.")
    assert (found.description, found.parameters, found.returns) == ("Summary.", {"a": "The number."}, "The sum.")


def test_text_after_the_sections_belongs_to_the_description():
    assert doc("Do.\n\nArgs:\n    a: One.\n\nAfter all.").description == "Do.\n\nAfter all."


def test_a_note_stays_in_the_description():
    assert doc("Do.\n\nNote:\n    Slow.\n\nArgs:\n    a: One.").description == "Do.\n\nNote:\n    Slow."


def test_stars_are_not_part_of_a_name():
    found = doc(r"""
        Do.

        Args:
            *args: Numbers.
            **kwargs: Options.
            \*more: Escaped.
    """)
    assert found.parameters == {"args": "Numbers.", "kwargs": "Options.", "more": "Escaped."}


def test_list_items_and_paragraphs_of_a_parameter_stay_apart():
    found = doc("Do.\n\nArgs:\n    a: One of\n        - x\n        - y\n\n        And more\n        text.\n")
    assert found.parameters["a"] == "One of\n- x\n- y\n\nAnd more text."


@pytest.mark.requirement("R060")
def test_numpy_sections_are_taken_apart():
    found = doc(
        """
        Summary.

        Parameters
        ----------
        a : int
            The first
            number.

            Second paragraph.
        b : {'x', 'y'}, optional
            The second.
        x, y : int
            Coordinates.
        *args
            Numbers.

        Other Parameters
        ----------------
        c : str
            Rare.

        Returns
        -------
        float
            The result.

        Raises
        ------
        ValueError
            If bad.

        See Also
        --------
        other : thing

        Notes
        -----
        Long story.

        Examples
        --------
        >>> f(1)
        """
    )
    assert found.description == "Summary."
    assert found.parameters == {
        "a": "The first number.\n\nSecond paragraph.",
        "b": "The second.",
        "x": "Coordinates.",
        "y": "Coordinates.",
        "args": "Numbers.",
        "c": "Rare.",
    }
    assert found.returns == "The result."
    assert found.raises == (("ValueError", "If bad."),)
    assert found.examples == (">>> f(1)",)


def test_several_numpy_results_are_named():
    found = doc("Do.\n\nReturns\n-------\na : int\n    The one.\nb : str\n    The other.\n")
    assert found.returns == "a: The one.\nb: The other."


def test_a_numpy_result_that_is_only_a_type_says_nothing():
    assert doc("Do.\n\nReturns\n-------\nlist[int]\n").returns is None
    assert doc("Do.\n\nReturns\n-------\nThe sum of all numbers.\n").returns == "The sum of all numbers."


@pytest.mark.requirement("R060")
def test_sphinx_fields_are_taken_apart():
    found = doc(
        """
        Summary.

        :param a: The first number,
            continued.
        :param str b: The second: see :class:`X`.
        :param dict[str, int] c: Third
        continued at the margin.
        :keyword d: Fourth.
        :type a: int
        :returns: The result.
        :rtype: int
        :raises ValueError, KeyError: when bad

        Tail.
        """
    )
    assert found.description == "Summary.\n\nTail."
    assert found.parameters == {
        "a": "The first number, continued.",
        "b": "The second: see :class:`X`.",
        "c": "Third continued at the margin.",
        "d": "Fourth.",
    }
    assert found.returns == "The result."
    assert found.raises == (("ValueError", "when bad"), ("KeyError", "when bad"))


def test_a_role_at_the_start_of_a_line_is_no_field():
    assert doc("Do.\n\n:class:`X` does it.").description == "Do.\n\n:class:`X` does it."


def test_epydoc_fields_are_taken_apart():
    found = doc(
        "Do.\n\n@param a: The number,\n    continued.\n@type a: int\n@return: The result.\n@raise ValueError: bad"
    )
    assert found.parameters == {"a": "The number, continued."}
    assert (found.description, found.returns) == ("Do.", "The result.")
    assert found.raises == (("ValueError", "bad"),)


def test_code_fences_are_never_sections():
    text = "Do:\n\n```python\nArgs:\n    x: no\n:param y: no\nReturns\n-------\n```\n\nArgs:\n    a: Yes."
    found = doc(text)
    assert found.parameters == {"a": "Yes."}
    assert found.description.endswith("```")
    assert ":param y: no" in found.description


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Do.\n\n.. deprecated:: 2.0\n   Use other.\n", "Use other."),
        ("Do.\n\n.. deprecated:: 2.0\n", "since version 2.0"),
        ("Do.\n\n:deprecated: Use other.\n", "Use other."),
        ("Do.\n\n@deprecated: Use other.\n", "Use other."),
        ("Do.\n\nDeprecated:\n    Use other.\n", "Use other."),
    ],
)
def test_deprecations_are_found_in_every_style(text, said):
    found = doc(text)
    assert (found.deprecated, found.description) == (said, "Do.")


def test_a_heading_with_nothing_indented_below_is_text():
    assert doc("Do.\n\nExample:\nnot indented").description == "Do.\n\nExample:\nnot indented"


def test_an_f_string_is_no_docstring():
    node = ast.parse('def f():\n    f"""No {1}."""').body[0]
    assert raw_docstring(node) is None
    assert parse_docstring(None).description == ""


def test_hidden_characters_are_removed_and_named():
    found = parse_docstring("Summary. \u202e\u200bIgnore \U000e0041this.\n\nArgs:\n    a: x\u2066y")
    assert found.description == "Summary. Ignore this."
    assert found.parameters == {"a": "xy"}
    assert set(found.hidden) == {"U+202E", "U+200B", "U+E0041", "U+2066"}


def test_joiners_inside_other_scripts_and_emoji_are_kept():
    for text in ("می‌خواهم", "👩‍👩‍👧", "क्‍ष"):
        assert clean(text) == (text, ())
    assert clean("pass\u200dword")[0] == "password"


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab:-=@*`'\n (),Args>.", max_size=300))
def test_no_docstring_breaks_the_reader_and_no_text_is_invented(text):
    found = parse_docstring(text)
    letters = set(text) | set(" \n.")
    said = found.description + "".join(found.parameters.values()) + (found.returns or "")
    assert set(said) <= letters | set("This tool is deprecated since version")


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(
        st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True).filter(lambda name: name not in {"returns", "raises"}),
        st.from_regex(r"[A-Z][a-z]{1,8}( [a-z]{1,8}){0,5}\.", fullmatch=True),
        min_size=1,
        max_size=5,
    )
)
def test_the_same_parameters_are_read_from_every_style(parameters):
    google = "Do.\n\nArgs:\n" + "".join(f"    {name}: {text}\n" for name, text in parameters.items())
    numpy = "Do.\n\nParameters\n----------\n" + "".join(
        f"{name} : int\n    {text}\n" for name, text in parameters.items()
    )
    sphinx = "Do.\n\n" + "".join(f":param {name}: {text}\n" for name, text in parameters.items())
    epydoc = "Do.\n\n" + "".join(f"@param {name}: {text}\n" for name, text in parameters.items())
    for text in (google, numpy, sphinx, epydoc):
        assert dict(parse_docstring(text).parameters) == parameters
