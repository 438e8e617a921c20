"""Recipes: read as resources, asked for by prompts."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal

from mcpgen import Context, Message, Param, SyncContext, completer, prompt, resource, tool


@dataclass
class Recipe:
    """How a dish is made."""

    name: str
    minutes: int


RECIPES = {"soup": Recipe("soup", 30), "bread": Recipe("bread", 180)}


@tool(read_only=True)
def dishes() -> list[str]:
    """List the dishes there are."""
    return sorted(RECIPES)


@resource(
    "recipes://book/index",
    title="All recipes",
    mime_type="text/markdown",
    annotations={"audience": ["user", "assistant"], "priority": 0.8},
    icons=[{"src": "https://recipes.example/book.png", "sizes": ["48x48"]}],
)
def index() -> str:
    """The names of all recipes, one a line."""
    return "\n".join(f"- {name}" for name in sorted(RECIPES))


@resource("recipes://dishes/{name}", timeout=5, max_result_bytes=10_000)
def recipe(name: str, ctx: SyncContext) -> Recipe | None:
    """One recipe.

    Args:
        name: The dish.
    """
    ctx.debug("looking for a recipe")
    return RECIPES.get(name)


@resource("recipes://menus/{day}.pdf", mime_type="application/pdf")
async def menu(day: date, pages: int = 1) -> bytes:
    """The menu of a day.

    Args:
        day: The day, as 2026-12-24.
        pages: Not for clients: it is not in the URI.
    """
    return f"%PDF- {day:%d.%m.%Y} {pages}".encode()


@prompt(title="Plan a meal")
async def plan(
    guests: Annotated[int, Param(ge=1, le=50, description="How many people eat.")],
    style: Literal["quick", "festive"] = "quick",
    dish: str | None = None,
    *,
    ctx: Context,
) -> list[Message]:
    """Plan a meal for some guests.

    Args:
        style: How much time there is.
        dish: What has to be part of it.
    """
    await ctx.info("planning")
    wish = f" with {dish}" if dish else ""
    return [
        Message("user", f"Plan a {style} meal{wish} for {guests} guests."),
        Message("assistant", "Is anybody allergic to something?"),
    ]


@prompt
def review(text):
    """Review a recipe."""
    return f"Review this recipe:\n{text}"


@completer(plan, "dish")
@completer(recipe, "name")
def names(typed: str) -> list[str]:
    """Complete the name of a dish."""
    return [name for name in sorted(RECIPES) if name.startswith(typed)]
