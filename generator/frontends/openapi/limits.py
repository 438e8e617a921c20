"""What loading an API description may cost; each limit with its reason.

The largest public descriptions known have 13 MB, some thousand files or 32 levels: every limit leaves them several
times the room, and stops an input that was made to exhaust memory or the stack before it does.
"""

from __future__ import annotations

MAX_FILE_BYTES = 64 * 1024 * 1024
"""Bytes of one file: parsed, a description takes about ten times its size."""

MAX_TOTAL_BYTES = 128 * 1024 * 1024
"""Bytes of all files together."""

MAX_FILES = 5_000
"""Files one description may be spread over."""

MAX_DEPTH = 100
"""Levels of nesting. Readers of a document are recursive, some calls for each level; Python stops at 1,000 calls."""

MAX_ALIAS_NODES = 200_000
"""Values that aliases and merge keys may add to a document. Aliases are shared, but whoever walks them walks each."""

MAX_DIGITS = 4_000
"""Digits of an integer; Python itself refuses to convert more than 4,300, because the time grows quadratically."""

MAX_REFERENCE_CHAIN = 1_000
"""References that may lead to one another before there is a value."""

MAX_REFERENCE_LENGTH = 8_192
"""Characters of one reference; longer ones are no addresses."""

MAX_SECONDS = 120.0
"""Time for reading and fetching everything, on a slow disk or network."""

MAX_FETCH_BYTES = 16 * 1024 * 1024
"""Bytes of one fetched document."""

MAX_FETCH_SECONDS = 20.0
"""Time for one fetched document, from the first look-up to the last byte."""

MAX_REDIRECTS = 5
"""Redirects followed for one fetched document."""

MAX_TARGETS = 100_000
"""Values one overlay action may select."""

SHOWN_CHARACTERS = 120
"""Characters of a reference or key that a message repeats."""

MAX_OVERLAY_NODES = 5_000_000
"""Values an overlay may copy; the largest public description has one million."""

LEAST_PARTS, PARTS_PER_BYTE = 300_000, 0.25
"""Objects and lists of operations that are read, with their members; a real description of 13 MB has 400,000.

Each takes about two microseconds. What is shared counts for each operation that has it.
"""

OPERATION_PARTS = 50
"""What an operation counts for at least among those: it is checked, named and sorted whatever it says."""

ENCODING_PARTS = 10
"""What the encoding of a member counts for among those, with its headers."""

MEDIA_TYPE_PARTS = 5
"""What a media type counts for among those that Swagger 2.0 lists once for all bodies, or for all answers."""

PROBLEM_PARTS = 20
"""What something that is wrong counts for among those: it is put into words, with its place."""

LEAST_SCHEMAS, SCHEMAS_PER_BYTE = 200_000, 0.1
"""Schemas that are converted, at about ten microseconds each; bases that are written out count each time."""

LEAST_TOOL_BYTES, TOOL_BYTES_PER_BYTE = 1_500_000, 3.5
"""Bytes of all tools as they are written: arguments, answers, requests. Of real descriptions they are at most as many
again.

A second makes about three million of them, and every client reads most of them with each list of tools.
"""

TOOL_BYTES = 500
"""What a tool counts for at least among those: its description and entries, and the work on them."""

TOOL_LEVEL = 3
"""Levels of the catalog that a tool's schemas stand in."""

REFERENCE_BYTES = 100
"""What each reference counts for besides its own bytes: a small definition will be written in its place."""

PART_BYTES = 100
"""What each parameter, media type, link or server counts for before the tool is made of it."""

ALTERNATIVE_BYTES = 20
"""What each alternative of security and each credential of one counts for, likewise: they are only looked up."""

MAX_MEMBERS = 400
"""Members of a body that become arguments; the longest real list has 206. A model can no more choose among them."""

MAX_PATH_LENGTH = 8_192
"""Characters of a path; servers refuse longer ones, and every operation of the path repeats it."""
