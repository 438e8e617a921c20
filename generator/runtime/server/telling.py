"""Telling of calls, where that is asked for: to a file, and to whoever reads the activity."""

from __future__ import annotations

from .call_events import CallEvents
from .event_file import EventFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .catalog import Catalog
    from .options import Options


class TellingError(Exception):
    """The file cannot be written; the message says why."""


def tell_calls(catalog: Catalog, options: Options) -> None:
    """Have an event made of each call, and append it to the file that the options name; raises TellingError."""
    catalog.events = events = CallEvents(catalog, options.serve.get("event_values", "arguments"))
    if options.events is None:
        return
    try:
        file = EventFile(options.events)
    except OSError as error:
        raise TellingError(f"the file for events cannot be opened: {error.strerror}: {options.events}") from None
    events.add(file.take)
    events.closers.append(file.close)
