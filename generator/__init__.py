"""Turn annotated Python modules and API descriptions into standalone MCP servers, and many servers into one.

The door for programs: `build`, `from_openapi` and `gateway` take what the commands take and return a tree of files with
diagnostics. Nothing is written, and nothing of a source is run, save servers of others that a gateway asks for lists.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Literal

    from .build_values import BuildResult
    from .gateways.pipeline import GatewayResult

__all__ = ["__version__", "build", "from_openapi", "gateway"]

__version__ = "0.1.0"

__mcpgen__ = True
"""What the launcher looks for: another distribution may install a package of the same name."""


def build(
    source: str,
    *,
    name: str | None = None,
    package: str | None = None,
    python: str | None = None,
    config: str | None = None,
    link: bool = False,
) -> BuildResult:
    """Build a server in memory from a module's path, a package's folder or an installed module's dotted name.

    `name` and `package` win over the settings, `python` names the environment modules are looked up in, `config` a
    settings file. The result's `server` is None when nothing can be served; its diagnostics say why.
    """
    from .pipeline import BuildResult
    from .pipeline import build as build_tree
    from .request import Words, prepared

    words = Words(source=source, name=name, package=package, python=python, config=config, link=link)
    request, problems = prepared(words)
    return BuildResult(server=None, diagnostics=problems) if request is None else build_tree(request)


def from_openapi(
    source: str,
    *,
    name: str | None = None,
    package: str | None = None,
    config: str | None = None,
    base_url: str | None = None,
    include_tags: Sequence[str] = (),
    exclude_tags: Sequence[str] = (),
    include_paths: Sequence[str] = (),
    exclude_paths: Sequence[str] = (),
    methods: Sequence[str] = (),
    operations: Sequence[str] = (),
    overlays: Sequence[str] = (),
    models: Literal["auto", "typeddict", "none"] | None = None,
    stubs: bool = False,
    exposure: Literal["full", "short", "discovery"] | None = None,
    budget: int | None = None,
    ref_root: str | None = None,
    allow_remote_refs: bool = False,
    allow_private_hosts: bool = False,
    known_names: Mapping[str, str] | None = None,
) -> BuildResult:
    """Build a server in memory from an API description: the path of an OpenAPI or Swagger document, or its address.

    What is given wins over the settings; `known_names` are names of tools by operation key (`GET /pets/{id}`) that stay
    as they are, `budget` is in tokens. The result is as that of `build`.
    """
    from .api_request import ApiWords, prepared_api
    from .build_values import BuildResult
    from .pipeline import build as build_tree

    words = ApiWords(
        source=source,
        name=name,
        package=package,
        config=config,
        base_url=base_url,
        include_tags=tuple(include_tags),
        exclude_tags=tuple(exclude_tags),
        include_paths=tuple(include_paths),
        exclude_paths=tuple(exclude_paths),
        methods=tuple(methods),
        operations=tuple(operations),
        overlays=tuple(overlays),
        models=models,
        stubs=stubs,
        exposure=exposure,
        budget=budget,
        ref_root=ref_root,
        allow_remote_refs=allow_remote_refs,
        allow_private_hosts=allow_private_hosts,
        known_names=known_names or {},
    )
    request, problems = prepared_api(words)
    return BuildResult(server=None, diagnostics=problems) if request is None else build_tree(request)


def gateway(
    sources: Sequence[str] = (),
    *,
    output: str | None = None,
    registered: bool = False,
    name: str | None = None,
    package: str | None = None,
    config: str | None = None,
    prefixes: Mapping[str, str] | None = None,
    separator: str | None = None,
    expose: Sequence[str] = (),
    deny: Sequence[str] = (),
) -> GatewayResult:
    """Build a gateway in memory over project folders, names in the registry, `NAME=https://…` and `NAME=COMMAND WORDS`.

    `output` is the folder it is for: paths in it are seen from there. Servers of others are started, or asked, for what
    they have. `prefixes` are by server; what is given wins over the settings. The result is as that of `build`.
    """
    from .gateways.pipeline import GatewayResult, build_gateway
    from .gateways.request import GatewayWords, prepared_gateway

    words = GatewayWords(
        sources=tuple(sources),
        registered=registered,
        output=output,
        name=name,
        package=package,
        config=config,
        prefixes=tuple(f"{server}={prefix}" for server, prefix in (prefixes or {}).items()),
        separator=separator,
        expose=tuple(expose),
        deny=tuple(deny),
    )
    request, problems = prepared_gateway(words)
    return GatewayResult(server=None, diagnostics=problems) if request is None else build_gateway(request)
