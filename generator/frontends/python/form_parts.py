"""Looking into forms: every part of one, and its arms when it is a union."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .contents import inner_forms
from .forms import AnyForm, AwaitableForm, ConstrainedForm, Form, LiteralForm, NoneForm, UnionForm, union

if TYPE_CHECKING:
    from collections.abc import Iterator


def parts(form: Form) -> Iterator[Form]:
    """Yield a form and every form inside it; definitions are not entered."""
    pending = [form]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(inner_forms(current))


def arms(form: Form) -> tuple[Form, ...]:
    """Return the arms of a union, constraints on it aside; any other form is its own single arm."""
    if isinstance(form, ConstrainedForm):
        return arms(form.form)
    return form.arms if isinstance(form, UnionForm) else (form,)


def accepts_none(form: Form) -> bool:
    """Whether null is among what a form accepts: it says so, or it accepts anything."""
    return any(
        isinstance(arm, NoneForm | AnyForm) or (isinstance(arm, LiteralForm) and None in arm.values)
        for arm in arms(form)
    )


def nullable(form: Form) -> Form:
    """Return the form with null beside it; what is said about it as a whole, names too, stays said of the whole."""
    if isinstance(form, ConstrainedForm):
        return replace(form, form=nullable(form.form))
    return union((form, NoneForm()), form.span)


def awaited(form: Form) -> Form:
    """Return what is sent of a result: the value an awaitable gives."""
    while isinstance(form, AwaitableForm):
        form = form.form
    return form
