"""One public door: what `generator` and `mcpgen` offer is written down here, and nothing leaks."""

import subprocess
import sys

import generator

AUTHORING = [
    *("Audio", "CallCancelled", "Cancelled", "Client", "ClientError", "Configuration", "Context", "Declined", "Elicit"),
    *("File", "Image", "Link", "Message", "MissingRequiredClientCapability", "Param", "ProtocolError", "Reply", "Root"),
    *(
        "Roots",
        "Sample",
        "SyncContext",
        "Text",
        "ToolCall",
        "ToolError",
        "completer",
        "prompt",
        "resource",
        "tool",
        "ui_resource",
    ),
]
"""What user modules import from `mcpgen` in this version; more names are promises and belong here first."""


def test_the_authoring_package_offers_its_names(root):
    program = (
        "import importlib.util, sys\n"
        "spec = importlib.util.spec_from_file_location('mcpgen', sys.argv[1] + '/__init__.py',"
        " submodule_search_locations=[sys.argv[1]])\n"
        "module = importlib.util.module_from_spec(spec); sys.modules['mcpgen'] = module\n"
        "spec.loader.exec_module(module)\n"
        "assert callable(module.main)\n"
        "print(' '.join(sorted(name for name in module.__all__ if getattr(module, name, None) is not None)))"
    )
    folder = root / "generator" / "runtime" / "authoring"
    ended = subprocess.run(
        [sys.executable, "-I", "-c", program, str(folder)], capture_output=True, text=True, timeout=30, check=True
    )
    assert ended.stdout.split() == AUTHORING


def test_importing_the_generator_imports_nothing_heavy(root):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); before = set(sys.modules)\n"
        "import generator; print(len(set(sys.modules) - before))"
    )
    ended = subprocess.run(
        [sys.executable, "-I", "-c", program, str(root)], capture_output=True, text=True, timeout=30, check=True
    )
    assert int(ended.stdout) <= 3


def test_the_generator_builds_for_programs_as_for_the_command(root):
    result = generator.build(str(root / "samples" / "weather" / "weather.py"), name="sky")
    assert result.server is not None
    assert result.server.command == "sky-mcp"
    assert "sky_mcp/catalog.json" in result.tree
    refused = generator.build("no/such/module.py")
    assert refused.server is None
    assert [each.rule.name for each in refused.diagnostics] == ["source-unreadable"]
    assert sorted(generator.__all__) == ["__version__", "build", "from_openapi", "gateway"]


def test_the_generator_reads_descriptions_for_programs_as_for_the_command(root):
    result = generator.from_openapi(str(root / "samples" / "petstore" / "openapi.yaml"), methods=["get"], models="none")
    assert result.server is not None
    assert [tool.name for tool in result.server.tools] == ["listPets", "getPet", "getPhoto"]
    assert "pet_store_mcp/operations.json" in result.tree
    assert "pet_store_mcp/models.py" not in result.tree
    refused = generator.from_openapi("no/such/api.yaml", base_url="nowhere")
    assert refused.server is None
    assert [each.rule.name for each in refused.diagnostics] == ["unusable-base-url"]


def test_the_generator_puts_servers_together_for_programs_as_for_the_command(root, tmp_path):
    built = generator.build(str(root / "samples" / "text_tools" / "text_tools.py"))
    for path, content in built.tree.items():
        target = tmp_path / "text-tools-mcp" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    source = f"words={tmp_path / 'text-tools-mcp'}"
    result = generator.gateway([source], output=str(tmp_path / "out"), prefixes={"words": "w_"}, expose=["words.slug"])
    assert result.diagnostics == ()
    assert [route.definition["name"] for route in result.table.tools] == ["w_slug"]
    assert "gateway/catalog.json" in result.tree
    assert not (tmp_path / "out").exists()
    refused = generator.gateway(prefixes={"nobody": "x"})
    assert (refused.server, refused.tree) == (None, {})
    assert {each.rule.name for each in refused.diagnostics} == {"nothing-routed", "unknown-server"}
