"""`mcpgen gateway`: many servers become one, whose lists need none of them to run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import exits
from .gateway_options import (
    DenyOption,
    EnvOption,
    ExposeOption,
    GatewayNameOption,
    GatewayOutputOption,
    GatewayPackageOption,
    HeaderOption,
    PrefixOption,
    RegisteredOption,
    SeparatorOption,
    SourcesArgument,
    words_of,
)
from .option_groups import Telling, Writing, spread
from .options import AllowEnvOption

if TYPE_CHECKING:
    from ..gateways.request import GatewayWords
    from .console import Console
    from .deliver import Mode


@spread
def gateway(
    sources: SourcesArgument = None,
    *,
    output: GatewayOutputOption = None,
    name: GatewayNameOption = None,
    package: GatewayPackageOption = None,
    registered: RegisteredOption = False,
    prefix: PrefixOption = None,
    header: HeaderOption = None,
    env: EnvOption = None,
    allow_env: AllowEnvOption = None,
    separator: SeparatorOption = None,
    expose: ExposeOption = None,
    deny: DenyOption = None,
    writing: Writing,
    telling: Telling,
) -> int:
    """Put many servers behind one connection; each is started when it is needed."""
    from ..gateways.request import GatewayWords

    console = telling.console(sarif_is_result=not writing.diff)
    mode = writing.mode
    words = GatewayWords(
        sources=words_of(sources),
        registered=registered,
        output=output,
        name=name,
        package=package,
        config=telling.config,
        strict=writing.strict,
        prefixes=words_of(prefix),
        headers=words_of(header),
        env=words_of(env),
        allow_env=words_of(allow_env),
        separator=separator,
        expose=words_of(expose),
        deny=words_of(deny),
    )
    return run(words, mode, console)


def run(words: GatewayWords, mode: Mode, console: Console) -> int:
    """Build what was asked for and deliver it; returns the exit code."""
    from ..gateways.pipeline import build_gateway
    from ..gateways.request import prepared_gateway
    from .deliver import Delivery, deliver, output_problems
    from .verdict import NOTHING_WRITTEN, failure, refused

    request, problems = prepared_gateway(words)
    problems += output_problems(words.output)
    if request is None or problems:
        console.report(problems, NOTHING_WRITTEN)
        return exits.INPUT
    result = build_gateway(request)
    reason = failure(result.diagnostics, strict=request.strict, named=frozenset())
    if result.server is None or reason is not None:
        console.report(result.diagnostics, refused(reason), warnings=request.strict)
        return exits.INPUT
    folder = words.output or result.server.command
    folders = tuple(str(each.folder) for each in request.sources if each.folder is not None)
    return deliver(Delivery(console, folders, result, result.server, folder, table=result.table), mode)
