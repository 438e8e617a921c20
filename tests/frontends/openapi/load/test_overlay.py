"""Overlays 1.0 and 1.1: what actions do, in which order, and what is said when they do nothing."""

import pytest

from generator.frontends.openapi import overlay_merge, overlay_target
from generator.frontends.openapi.limits import MAX_DEPTH
from generator.frontends.openapi.overlay import apply_overlays

API = """\
openapi: 3.1.0
info: {title: t, version: '1'}
servers: [{url: https://a.example}]
paths:
  /items:
    get:
      tags: [a, b]
      x-traits: [paged]
      parameters: [{name: filter, in: query}, {name: dummy, in: query}]
      responses: {'200': {description: OK}, default: {description: no}}
  /other:
    delete: {responses: {'200': {description: OK}, '500': {description: no}}}
"""


@pytest.fixture
def overlaid(api, tmp_path):
    """Return a function that applies actions, and gives the description and the diagnostics."""

    def applied(actions, version="1.1.0", text=API, raw=None):
        documents = api({"a.yaml": text})
        path = tmp_path / "o.yaml"
        path.write_text(
            raw or f"overlay: {version}\ninfo: {{title: o, version: '1'}}\nactions:\n{actions}", encoding="utf-8"
        )
        diagnostics = []
        apply_overlays(documents, [str(path)], diagnostics.append)
        return documents.root, diagnostics

    return applied


def clean(result):
    root, diagnostics = result
    assert [each.message for each in diagnostics] == []
    return root


def test_an_update_is_merged_recursively(overlaid):
    root = clean(overlaid("- {target: $, update: {info: {title: new, x-a: {b: 1}}, x-new: [1]}}\n"))
    assert root["info"] == {"title": "new", "version": "1", "x-a": {"b": 1}}
    assert root["x-new"] == [1]


def test_arrays_are_joined_and_other_values_appended(overlaid):
    target = "$.paths['/items'].get"
    root = clean(
        overlaid(
            f'- {{target: "{target}.tags", update: c}}\n- {{target: "{target}.tags", update: [d, e]}}\n'
            f'- {{target: "{target}", update: {{tags: [f]}}}}\n'
            f'- {{target: "{target}.parameters", update: {{name: new, in: query}}}}\n'
        )
    )
    operation = root["paths"]["/items"]["get"]
    assert operation["tags"] == ["a", "b", "c", "d", "e", "f"]
    assert operation["parameters"][-1] == {"name": "new", "in": "query"}


def test_wildcards_and_filters_select_many(overlaid):
    root = clean(
        overlaid(
            "- {target: '$.paths.*.get', update: {x-safe: true}}\n"
            "- target: $.paths.*.get.parameters[?@.name=='filter' && @.in=='query']\n"
            "  update: {schema: {type: string}}\n"
            "- {target: \"$.paths[?(@.get['x-traits'][?(@ == 'paged')])].get\", update: {x-paged: true}}\n"
        )
    )
    operation = root["paths"]["/items"]["get"]
    assert operation["x-safe"] is operation["x-paged"] is True
    assert operation["parameters"][0]["schema"] == {"type": "string"}
    assert "schema" not in operation["parameters"][1]


def test_removing_takes_members_and_items_out(overlaid):
    root = clean(
        overlaid(
            "- {target: \"$.paths..responses['default', '500']\", remove: true}\n"
            "- {target: \"$.paths.*.get.parameters[?@.name=='dummy']\", remove: true}\n"
            '- {target: "$.paths.*.get.tags[*]", remove: true}\n'
            "- {target: $.servers, remove: true}\n- {target: $, update: {servers: [{url: https://b.example}]}}\n"
        )
    )
    assert list(root["paths"]["/items"]["get"]["responses"]) == ["200"]
    assert list(root["paths"]["/other"]["delete"]["responses"]) == ["200"]
    assert root["paths"]["/items"]["get"]["parameters"] == [{"name": "filter", "in": "query"}]
    assert root["paths"]["/items"]["get"]["tags"] == []
    assert root["servers"] == [{"url": "https://b.example"}]


def test_removing_a_value_and_what_is_inside_of_it_is_one_removal(overlaid):
    root = clean(overlaid("- {target: $.paths..*, remove: true}\n"))
    assert root["paths"] == {}


def test_items_are_removed_by_position_from_the_end(overlaid):
    text = "openapi: 3.1.0\nx: [" + ", ".join(map(str, range(15))) + "]\n"
    assert clean(overlaid("- {target: '$.x[1,2,10,11]', remove: true}\n", text=text))["x"] == [
        0,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        12,
        13,
        14,
    ]


def test_remove_wins_over_update_and_update_over_copy(overlaid):
    root = clean(
        overlaid(
            "- {target: $.info, update: {x: 1}, copy: $.paths}\n- {target: $.servers, update: {x: 1}, remove: true}\n"
            "- {target: $.paths, remove: false, update: {/new: {}}}\n"
        )
    )
    assert root["info"]["x"] == 1
    assert "servers" not in root
    assert "/new" in root["paths"]


def test_copying_moves_with_update_and_remove(overlaid):
    root = clean(
        overlaid(
            "- {target: $.paths, update: {/new: {}}}\n- {target: \"$.paths['/new']\", copy: \"$.paths['/items']\"}\n"
            "- {target: \"$.paths['/items']\", remove: true}\n- {target: \"$.paths['/new'].get\", update: {x: 1}}\n"
        )
    )
    assert list(root["paths"]) == ["/other", "/new"]
    assert root["paths"]["/new"]["get"]["tags"] == ["a", "b"]


def test_a_copy_shares_nothing_with_its_source(overlaid):
    root = clean(
        overlaid(
            "- {target: \"$.paths['/other']\", copy: \"$.paths['/items']\"}\n"
            "- {target: \"$.paths['/other'].get.tags\", update: z}\n"
        )
    )
    assert root["paths"]["/items"]["get"]["tags"] == ["a", "b"]
    assert root["paths"]["/other"]["get"]["tags"] == ["a", "b", "z"]
    assert "delete" in root["paths"]["/other"]


def test_what_yaml_aliases_share_is_changed_in_one_place_only(overlaid):
    text = "openapi: 3.1.0\npaths:\n  /a: &a {get: {x: 1}}\n  /b: *a\n"
    root = clean(overlaid("- {target: \"$.paths['/a'].get\", update: {x: 2}}\n", text=text))
    assert (root["paths"]["/a"]["get"]["x"], root["paths"]["/b"]["get"]["x"]) == (2, 1)


def test_targets_inside_of_targets_are_all_updated(overlaid):
    text = "openapi: 3.1.0\nx: {type: object, y: {type: object, z: {type: object}}}\n"
    root = clean(overlaid("- {target: \"$..[?@.type=='object']\", update: {seen: true, y: {more: 1}}}\n", text=text))
    assert root["x"]["y"]["z"]["seen"] is root["x"]["y"]["seen"] is root["x"]["seen"] is True


def test_single_values_are_replaced(overlaid):
    root = clean(overlaid("- {target: $.info.title, update: new}\n- {target: $.info.version, copy: $.info.title}\n"))
    assert root["info"] == {"title": "new", "version": "new"}


def test_overlays_are_applied_in_order(api, tmp_path):
    documents = api({"a.yaml": API})
    for name, title in (("1", "first"), ("2", "second")):
        (tmp_path / name).write_text(
            f"overlay: 1.0.0\nactions: [{{target: $.info, update: {{title: {title}}}}}]\n", encoding="utf-8"
        )
    apply_overlays(documents, [str(tmp_path / "1"), str(tmp_path / "2")], pytest.fail)
    assert documents.root["info"]["title"] == "second"
    assert {path.rpartition("/")[2] for path in documents.inputs} == {"a.yaml", "1", "2"}


def test_a_target_that_selects_nothing_is_a_warning_with_its_place(overlaid):
    root, (diagnostic,) = overlaid("- target: $.nothing\n  update: {x: 1}\n- {target: $.info, update: {x: 2}}\n")
    assert (diagnostic.rule.name, diagnostic.level) == ("unmatched-overlay-target", "warning")
    assert (diagnostic.span.path.rpartition("/")[2], diagnostic.span.line, diagnostic.span.column) == ("o.yaml", 4, 3)
    assert diagnostic.pointer.endswith("o.yaml#/actions/0/target")
    assert root["info"]["x"] == 2


@pytest.mark.parametrize(
    ("action", "said", "pointer"),
    [
        ("{target: info, update: {}}", "no usable JSONPath", "/target"),
        ("{target: '$[', update: {}}", "no usable JSONPath", "/target"),
        ("{target: '$..[?(\"x\" in @.tags)]', update: {}}", "no usable JSONPath", "/target"),
        ("{target: 1, update: {}}", "must be a JSONPath", "/target"),
        ("{update: {}}", "must be a JSONPath", ""),
        ("{target: $.info}", "needs `update`", "/target"),
        ("{target: $, remove: true}", "cannot be removed", "/target"),
        ("{target: $.info, update: [1]}", "an array cannot be merged into an object", "/update"),
        ("{target: $.info, update: x}", "a single value cannot be merged into an object", "/update"),
        ("{target: $.info.title, update: {}}", "an object cannot be merged into a single value", "/update"),
        ("{target: $, update: {info: {title: [1]}}}", "at `/info/title`", "/update"),
        ("{target: $.info, copy: $.nothing}", "not 0", "/copy"),
        ("{target: $.info, copy: $.paths.*}", "not 2", "/copy"),
        ("{target: $.info, copy: x}", "no usable JSONPath", "/copy"),
        ("text", "must be an object", ""),
    ],
)
def test_an_action_that_cannot_be_applied_is_left_out_with_its_place(overlaid, action, said, pointer):
    root, (diagnostic,) = overlaid(f"- {action}\n- {{target: $.info, update: {{x: 2}}}}\n")
    assert (diagnostic.rule.name, diagnostic.level) == ("invalid-overlay", "error")
    assert said in diagnostic.message
    assert diagnostic.pointer.endswith(f"o.yaml#/actions/0{pointer}")
    assert root["info"] == {"title": "t", "version": "1", "x": 2}


def test_nothing_is_changed_by_an_update_that_fits_only_some_targets(overlaid):
    root, (diagnostic,) = overlaid(
        "- {target: $.paths.*.*.responses.*.description, update: {}}\n- {target: '$.info[*]', update: new}\n"
    )
    assert diagnostic.rule.name == "invalid-overlay"
    assert root["info"] == {"title": "new", "version": "new"}
    assert root["paths"]["/items"]["get"]["responses"]["200"] == {"description": "OK"}


def test_1_0_replaces_values_of_another_kind_and_leaves_containers_at_null(overlaid):
    root = clean(
        overlaid("- {target: $, update: {info: {title: [1]}, paths: null, servers: {a: 1}}}\n", version="1.0.0")
    )
    assert root["info"]["title"] == [1]
    assert "/items" in root["paths"]
    assert root["servers"] == {"a": 1}


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("a: 1\n", "no overlay"), ("- 1\n", "no overlay"), ("overlay: 2.0.0\nactions: []\n", "version `2.0.0`"),
        ("overlay: 1.0\nactions: []\n", "version `1.0`"), ("overlay: 1.0.0\n", "no list of actions"),
        ("overlay: 1.0.0\nactions: []\n", "no list of actions"),
        ("overlay: 1.0.0\nactions: {}\n", "no list of actions"),
        ("overlay: [\n", "not YAML"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_overlay_is_told(overlaid, raw, said):
    root, (diagnostic,) = overlaid("", raw=raw)
    assert said in diagnostic.message
    assert diagnostic.span.path.endswith("o.yaml")
    assert root["info"] == {"title": "t", "version": "1"}


def test_a_missing_overlay_is_told(api, tmp_path):
    documents = api({"a.yaml": API})
    diagnostics = []
    apply_overlays(documents, [str(tmp_path / "none.yaml")], diagnostics.append)
    assert diagnostics[0].rule.name == "unreadable-description"


def test_copying_into_itself_again_and_again_has_an_end(overlaid, monkeypatch):
    monkeypatch.setattr(overlay_merge, "MAX_OVERLAY_NODES", 10_000)
    action = "- {target: $, update: {%s: {}}}\n- {target: $.%s, copy: $}\n"
    _, diagnostics = overlaid("".join(action % (f"x{n}", f"x{n}") for n in range(40)))
    assert any("more than 10000 values" in each.message for each in diagnostics)


def test_a_result_nested_too_deep_is_not_used(overlaid):
    deep = "{x: " * 75 + "1" + "}" * 75
    actions = f"- {{target: $, update: {{x: {deep}}}}}\n- {{target: $.{'x.' * 74}x, update: {{y: {deep}}}}}\n"
    root, (diagnostic,) = overlaid(actions)
    assert "x" not in root
    assert diagnostic.message == f"the result is nested deeper than {MAX_DEPTH} levels"
    assert diagnostic.pointer.endswith("#/actions/1")


def test_a_target_may_not_select_endlessly_many(overlaid, monkeypatch):
    monkeypatch.setattr(overlay_target, "MAX_TARGETS", 5)
    _, (diagnostic,) = overlaid("- {target: $..*, update: {}}\n")
    assert "more than 5 values" in diagnostic.message
