"""Descriptions are short and in one line; titles only where they say something new."""

from generator.frontends.openapi.schemas.wording import MAX_DESCRIPTION, folded


def test_whitespace_is_folded(written):
    assert written({"type": "string", "description": "  One\n  two.\t "}).arguments["description"] == "One two."


def test_an_empty_description_is_left_out(written):
    assert written({"type": "string", "description": " \n"}).arguments == {"type": "string"}


def test_a_long_text_ends_with_a_sentence(written):
    text = folded("A sentence of some length that says what this is about. " * 20)
    assert len(text) <= MAX_DESCRIPTION
    assert text.endswith("about. …")


def test_a_long_text_without_sentences_ends_with_a_word_or_is_cut():
    assert folded("word " * 200).endswith("word …")
    assert folded("x" * 1000) == "x" * (MAX_DESCRIPTION - 2) + " …"


def test_a_title_that_repeats_the_name_is_left_out(written):
    schema = written(
        {"type": "object", "properties": {"pet_id": {"type": "string", "title": "Pet Id"}, "n": {"title": "Legs"}}}
    )
    assert schema.arguments["properties"] == {"pet_id": {"type": "string"}, "n": {"title": "Legs"}}


def test_texts_that_are_none_are_left_out_silently(written):
    schema = written({"type": "string", "description": 5, "title": ["x"]})
    assert schema.arguments == {"type": "string"}
