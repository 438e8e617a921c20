"""The server that the official conformance suite talks to: its tools, resources and prompts by the names it wants.

Built by `mcpgen build` like any module; nothing here knows of revisions, transports or the suite itself. What a
function has to do stands in the description of its scenario (`conformance list --server`).
"""

from __future__ import annotations

import asyncio
import base64
from typing import Annotated, Any

from mcpgen import (
    Audio,
    Context,
    Elicit,
    File,
    Image,
    Message,
    Param,
    ProtocolError,
    Roots,
    Sample,
    ToolError,
    completer,
    prompt,
    resource,
    tool,
)

RED_PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)
SILENCE = base64.b64decode("UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=")
STEP_SECONDS = 0.05
CHANGES: list[str] = []
ONE_OK = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
ONE_NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def test_simple_text() -> str:
    """Return a text."""
    return "This is a simple text response for testing."


def test_image_content() -> Image:
    """Return an image."""
    return Image(RED_PIXEL, mime_type="image/png")


def test_audio_content() -> Audio:
    """Return a sound."""
    return Audio(SILENCE, mime_type="audio/wav")


def test_embedded_resource() -> File:
    """Return an embedded resource."""
    return File("test://embedded-resource", text="This is an embedded resource content.", mime_type="text/plain")


def test_multiple_content_types() -> list[str | Image | File]:
    """Return a text, an image and a resource."""
    data = '{"test":"data","value":123}'
    return [
        "Multiple content types test:",
        Image(RED_PIXEL, mime_type="image/png"),
        File("test://mixed-content-resource", text=data, mime_type="application/json"),
    ]


def test_error_handling() -> str:
    """Fail."""
    raise ToolError("This tool intentionally returns an error for testing")


@tool(
    input_schema={
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    }
)
def json_schema_2020_12_tool(**contact: Any) -> str:
    """Tool with JSON Schema 2020-12 features."""
    return f"Contact by {', '.join(sorted(contact))}"


def test_x_mcp_header(region: Annotated[str, Param(header="Region")]) -> str:
    """Repeat a region, which proxies may route by."""
    return f"Region: {region}"


async def test_tool_with_logging(ctx: Context) -> str:
    """Log three messages."""
    await ctx.info("Tool execution started")
    await ctx.sleep(STEP_SECONDS)
    await ctx.info("Tool processing data")
    await ctx.sleep(STEP_SECONDS)
    await ctx.info("Tool execution completed")
    return "Tool with logging executed successfully"


async def test_logging_tool(ctx: Context) -> str:
    """Log a message, for those who want to read it."""
    await ctx.info("A message of a tool")
    return "Logged, if anybody wanted it"


async def test_tool_with_progress(ctx: Context) -> str:
    """Tell of progress three times."""
    for reached in (0, 50, 100):
        await ctx.progress(reached, 100)
        await ctx.sleep(STEP_SECONDS)
    return "Tool with progress executed successfully"


async def test_reconnection(ctx: Context) -> str:
    """Let go of the stream, and answer later."""
    await ctx.close_stream()
    await ctx.sleep(4 * STEP_SECONDS)
    return "Reconnection test completed"


async def test_trigger_tool_change(ctx: Context) -> str:
    """Say that the list of tools has changed, which the watched resource counts."""
    CHANGES.append("tools")
    await ctx.tools_changed()
    await ctx.resource_updated("test://watched-resource")
    return "Told of tools"


async def test_trigger_prompt_change(ctx: Context) -> str:
    """Say that the list of prompts has changed."""
    await ctx.prompts_changed()
    return "Told of prompts"


async def test_sampling(prompt: str, *, ctx: Context) -> str:
    """Have the client's model say something.

    Args:
        prompt: What it is asked.
    """
    return f"LLM response: {(await ctx.sample('answer', prompt, max_tokens=100)).text}"


async def test_elicitation(message: str, *, ctx: Context) -> str:
    """Ask the person for a name and an address.

    Args:
        message: What the person reads.
    """
    fields = {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    }
    schema = {"type": "object", "properties": fields, "required": ["username", "email"]}
    return f"User response: {await ctx.elicit('user', message, schema=schema)}"


async def test_elicitation_sep1034_defaults(ctx: Context) -> str:
    """Ask with a default for each kind of field."""
    fields = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    form = {"type": "object", "properties": fields, "required": []}
    return f"Elicitation completed: {await ctx.elicit('defaults', 'Please review the defaults', schema=form)}"


async def test_elicitation_sep1330_enums(ctx: Context) -> str:
    """Ask with each kind of choice."""
    plain = ["option1", "option2", "option3"]
    titles = enumerate(("First Option", "Second Option", "Third Option"), 1)
    titled = [{"const": f"value{number}", "title": title} for number, title in titles]
    legacy = {"enum": ["opt1", "opt2", "opt3"], "enumNames": ["Option One", "Option Two", "Option Three"]}
    fields = {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", **legacy},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    form = {"type": "object", "properties": fields, "required": []}
    return f"Elicitation completed: {await ctx.elicit('choices', 'Please choose', schema=form)}"


async def test_missing_capability(ctx: Context) -> str:
    """Need a client whose model can be asked."""
    ctx.require("sampling")
    return "The client can sample"


async def test_streaming_elicitation(ctx: Context) -> str:
    """Ask after a while."""
    await ctx.sleep(STEP_SECONDS)
    return f"Confirmed: {await ctx.elicit('confirm', 'Go on?', schema=bool)}"


async def test_input_required_result_elicitation(ctx: Context) -> str:
    """Greet whoever is there."""
    person = await ctx.elicit("user_name", "What is your name?", schema=ONE_NAME)
    return f"Hello, {person['name']}!" if person else "Hello!"


async def test_input_required_result_sampling(ctx: Context) -> str:
    """Ask the client's model for a capital."""
    return (await ctx.sample("capital_question", "What is the capital of France?", max_tokens=100)).text


async def test_input_required_result_list_roots(ctx: Context) -> str:
    """List the client's roots."""
    return f"Roots: {', '.join(root.uri for root in await ctx.roots(key='client_roots'))}"


async def test_input_required_result_request_state(ctx: Context) -> str:
    """Ask, and trust no state but our own."""
    confirmed = await ctx.elicit("confirm", "Please confirm", schema=ONE_OK)
    return f"state-ok, confirmed: {bool(confirmed)}"


async def test_input_required_result_tampered_state(ctx: Context) -> str:
    """Ask, and refuse a state that somebody changed."""
    return f"Confirmed: {bool(await ctx.elicit('confirm', 'Please confirm', schema=ONE_OK))}"


async def test_input_required_result_multiple_inputs(ctx: Context) -> str:
    """Ask three things at once."""
    answers = await ctx.ask(
        user_name=Elicit("What is your name?", ONE_NAME),
        greeting=Sample("Generate a greeting", max_tokens=50),
        client_roots=Roots(),
    )
    name = answers["user_name"]["name"] if answers["user_name"] else "stranger"
    return f"{answers['greeting'].text}, {name}, with {len(answers['client_roots'])} roots"


async def test_input_required_result_multi_round(ctx: Context) -> str:
    """Ask one thing after the other."""
    person = await ctx.elicit("step1", "Step 1: What is your name?", schema=ONE_NAME)
    schema = {"type": "object", "properties": {"color": {"type": "string"}}, "required": ["color"]}
    liked = await ctx.elicit("step2", "Step 2: What is your favorite color?", schema=schema)
    return f"{person['name'] if person else 'Somebody'} likes {liked['color'] if liked else 'nothing'}"


async def test_input_required_result_capabilities(ctx: Context) -> str:
    """Ask only what the client can answer."""
    questions: dict[str, Elicit | Sample] = {}
    if "elicitation" in ctx.client.capabilities:
        questions["person"] = Elicit("What is your name?", ONE_NAME)
    if "sampling" in ctx.client.capabilities:
        questions["model"] = Sample("Say something", max_tokens=50)
    answers = await ctx.ask(**questions)
    return f"Answered: {', '.join(answers)}"


def greet(name: str) -> str:
    """Greet."""
    return f"Hello, {name}!"


@tool(task="optional")
async def slow_compute(seconds: float, label: str = "job", *, ctx: Context) -> str:
    """Take a while."""
    await ctx.sleep(seconds)
    return f"{label} took {seconds} s"


@tool(task="required")
async def failing_job() -> str:
    """Fail after a while."""
    await asyncio.sleep(1)
    raise ToolError("This job always fails")


@tool(task="optional")
async def protocol_error_job() -> str:
    """End with an error of the protocol."""
    await asyncio.sleep(STEP_SECONDS)
    raise ProtocolError(-32603, "This job breaks the protocol")


@tool(task="required")
async def confirm_delete(filename: str, *, ctx: Context) -> str:
    """Delete a file if the person agrees."""
    form = {"type": "object", "properties": {"confirm": {"type": "boolean"}}, "required": ["confirm"]}
    agreed = await ctx.elicit("confirm", f"Delete {filename}?", schema=form)
    return f"{filename} was {'deleted' if agreed and agreed['confirm'] else 'kept'}"


@tool(task="required")
async def multi_input(ctx: Context) -> str:
    """Ask two things at once."""
    fields = {"name": {"type": "string"}, "confirm": {"type": "boolean"}}
    form = {"type": "object", "properties": fields}
    answers = await ctx.ask(first=Elicit("The first?", form), second=Elicit("The second?", form))
    return f"Answered: {', '.join(answers)}"


@tool(task="required")
async def test_tool_with_task(ctx: Context) -> str:
    """Ask for a name, then go on as a task."""
    person = await ctx.elicit("user_name", "What is your name?", schema=ONE_NAME)
    await ctx.start_task()
    await ctx.sleep(STEP_SECONDS)
    return f"Hello, {person['name']}, from a task!" if person else "Hello from a task!"


@resource("test://static-text", name="static-text", mime_type="text/plain")
def static_text() -> str:
    """Return a text that never changes."""
    return "This is the content of the static text resource."


@resource("test://static-binary", name="static-binary", mime_type="image/png")
def static_binary() -> bytes:
    """Return an image that never changes."""
    return RED_PIXEL


@resource("test://watched-resource", name="watched-resource", mime_type="text/plain")
def watched_resource() -> str:
    """Return a text that clients may subscribe to."""
    return f"{len(CHANGES)} changes"


@resource("test://template/{id}/data", name="template-data", mime_type="application/json")
def template_data(id: str) -> dict[str, Any]:  # noqa: A002 # the name of the variable
    """Return data with the id that stands in the URI."""
    return {"id": id, "templateTest": True, "data": f"Data for ID: {id}"}


@prompt
def test_simple_prompt() -> str:
    """A prompt without arguments."""
    return "This is a simple prompt for testing."


@prompt
def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
    """A prompt with arguments.

    Args:
        arg1: First test argument.
        arg2: Second test argument.
    """
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


@completer(test_prompt_with_arguments, "arg1")
def values_of_arg1(typed: str) -> list[str]:
    """Propose values."""
    return [value for value in ("paris", "park", "party") if value.startswith(typed)]


@prompt
def test_prompt_with_embedded_resource(resourceUri: str) -> list[Message]:  # noqa: N803 # its name for clients
    """A prompt with an embedded resource.

    Args:
        resourceUri: What is embedded.
    """
    embedded = File(resourceUri, text="Embedded resource content for testing.", mime_type="text/plain")
    return [Message("user", embedded), Message("user", "Please process the embedded resource above.")]


@prompt
def test_prompt_with_image() -> list[Message]:
    """A prompt with an image."""
    image = Image(RED_PIXEL, mime_type="image/png")
    return [Message("user", image), Message("user", "Please analyze the image above.")]


@prompt
async def test_input_required_result_prompt(ctx: Context) -> str:
    """A prompt that asks first."""
    form = {"type": "object", "properties": {"context": {"type": "string"}}, "required": ["context"]}
    said = await ctx.elicit("user_context", "What context should the prompt use?", schema=form)
    return f"The context is {said['context'] if said else 'not known'}."
