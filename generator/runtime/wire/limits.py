"""Every limit of the wire and the server, with its reason.

Settings in the catalog override what is meant to be tuned.
"""

MAX_MESSAGE_BYTES = 10 * 1024 * 1024
"""One line on stdio. Hosts send files as base64 arguments; beyond this a resource is the right way."""

MAX_NESTING = 200
"""Nesting of a message. Real ones stay below 30; the C scanner's own limit differs between interpreters."""

MAX_RESULT_BYTES = 10 * 1024 * 1024
"""One tool result as text. Hosts cut results far below this; it keeps a mistake from filling the pipe."""

READ_BYTES = 64 * 1024
"""One read from the client: the size of a Linux pipe, so a burst is taken in one call."""

MAX_WORKERS = 32
"""Threads that run synchronous tools at once (decision 23)."""

MAX_PARKED = 256
"""Threads besides these whose calls wait for somebody's answer: each costs memory, and nothing else."""

MAX_QUEUED = 10_000
"""Calls that wait for a free worker; the next one is answered M-RUN-002."""

MAX_CALLS = 20_000
"""Calls that are open at once, whatever they wait for; the next one is answered M-RUN-002."""

MAX_ABANDONED = 64
"""Threads left behind by timed-out or cancelled calls; Python cannot end a thread, so beyond this calls are refused."""

MAX_LOOPS = 8
"""Event loops that asynchronous tools may have blocked at once; beyond this calls are refused like those above."""

DEFAULT_TIMEOUT = 60.0
"""Seconds one call may take; most hosts give up at the same point."""

DRAIN_SECONDS = 1.5
"""How long calls in flight may go on when a server ends, by a signal over HTTP or because its input ended: hosts that
wait two seconds for the process see it end."""

ATEXIT_SECONDS = 0.3
"""How long the user's own exit handlers may take."""

WATCH_SECONDS = 4.0
"""A call that runs elsewhere wakes who looks at the clock only if it may take less: that looks every two seconds."""

CHILDREN_SECONDS = 2.5
"""How long the servers behind a gateway may take to end: with the rest it stays well under five seconds."""

TASK_SECONDS = 3600.0
"""How long a task is kept from its beginning, and may run unless its tool says less: people come back after lunch."""

MAX_TASKS = 5_000
"""Tasks that are kept at once; the next one is answered M-RUN-002, unless others ended a while ago. Some 20 MB."""

MAX_TASK_BYTES = 64 * 1024 * 1024
"""Results of tasks that are kept at once; while there are more, no task begins."""
