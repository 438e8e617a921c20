"""Every limit of the HTTP server, with its reason. The bound on a body is the same as on a message over stdio."""

MAX_HEAD_BYTES = 32 * 1024
"""Request line and headers of a request. Real ones stay below 4 KiB, long tokens below 16."""

MAX_HEADERS = 100
"""Header lines of a request; browsers behind proxies send about 40."""

MAX_TARGET_BYTES = 2048
"""Path and query: the paths of this server are short, and nothing is read from a query."""

MAX_CHUNK_LINE_BYTES = 256
"""A chunk's size line with its extensions, and each trailer of a chunked body."""

MAX_TRAILERS = 32
"""Trailers of a chunked body; they are read and dropped."""

MAX_SKIPPED_BYTES = 64 * 1024
"""A refused request's body up to this size is read and dropped, so that the connection lives on; beyond, it ends."""

LARGE_BODY_BYTES = 1024 * 1024
"""A body above this size, or one in chunks, is large: few are read at once, since each is held in memory."""

MAX_LARGE_BODIES = 32
"""Large bodies read at once; the next one is answered 503."""

MAX_CONNECTIONS = 900
"""Connections at once, below the usual limit of 1024 descriptors; a new one takes the place of the longest idle one."""

MAX_PIPELINED_BYTES = 128 * 1024
"""Read ahead of a connection while its request runs; then it is not read until the answer is sent."""

MAX_UNSENT_BYTES = 32 * 1024 * 1024
"""Waiting for a client that reads slowly: three of the largest results. Beyond it, the connection is dropped."""

MAX_ALL_UNSENT_BYTES = 256 * 1024 * 1024
"""Waiting for all clients together: eight that read as slowly as can be. Beyond it, those with the most are dropped."""

HEAD_SECONDS = 10.0
"""From the first byte of a request, or the start of a connection, to the end of the headers."""

BODY_SECONDS = 60.0
"""From the end of the headers to the end of the body: the largest in that time is under 200 KiB a second."""

IDLE_SECONDS = 75.0
"""How long a connection without a request is kept: longer than the usual 60 of proxies, so that they close first."""

SEND_SECONDS = 30.0
"""How long a client may take nothing of what waits for it."""

LINGER_SECONDS = 2.0
"""How long a connection is still read after its last answer: closing at once could destroy that answer on its way."""

KEEP_ALIVE_SECONDS = 15.0
"""Silence on a stream, or of a call whose client takes streams, after which a comment is sent: proxies cut after 30."""

MAX_SESSIONS = 1000
"""Sessions of clients with a handshake; a new one takes the place of the one that was silent longest."""

SESSION_SECONDS = 1800.0
"""Silence after which a session ends; its client gets 404 and starts another."""

MAX_STREAMS = 32
"""Streams of one session that can be resumed or are open; the oldest that has ended goes first."""

MAX_EVENTS = 10_000
"""Events of all sessions kept for resumption; the oldest goes first."""

MAX_EVENT_BYTES = 32 * 1024 * 1024
"""Bytes of them, likewise."""

MAX_LISTENERS = 4
"""GET streams of one session on which changes are told; the oldest gives way. Clients have one."""

MAX_LISTENING = 500
"""Listen requests that are open: each holds a connection, and the others have to be left some."""

MAX_CHANGE_BYTES = 64 * 1024
"""Notifications of changes that may wait for a slow reader: hundreds. Then it is dropped, and asks anew."""

RETRY_MS = 1000
"""What a client is told to wait before it resumes a stream."""

MAX_TOKENS_BYTES = 1024 * 1024
"""The tokens file: thousands of entries; anything larger is not that file."""

MAX_TOKEN_BYTES = 16 * 1024
"""One token in a request; signed ones with many claims stay below."""

SWEEP_SECONDS = 1.0
"""How exact these times are."""

MAX_BUCKETS = 10_000
"""Tokens, and tokens with tools, whose rates are counted; the one that was used longest ago is forgotten."""

VERIFY_SECONDS = 5.0
"""How long the author's check of a token may take; then its sender is not let in."""

VERIFIED_SECONDS = 60.0
"""How long a token that was checked is believed, if it does not end before: as long as a revoked one may live on."""

REFUSED_SECONDS = 5.0
"""How long a token that was refused is not asked about again."""

MAX_VERIFIED = 1000
"""Tokens whose check is remembered; the oldest goes first."""

MAX_VERIFYING = 8
"""Tokens that are checked at once; the others wait."""

MAX_WAITING_TOKENS = 256
"""Tokens that are checked or wait for it; the next one is answered 503."""

MAX_VIEWS = 256
"""Sets of scopes whose lists are kept, where lists show only what a token may call."""

MAX_SHOWN_EVENTS = 200
"""Calls that whoever opens the activity sees first."""

MAX_READERS = 16
"""Readers of the activity; the next one is answered 503."""

MAX_READER_BYTES = 256 * 1024
"""Waiting for a reader of the activity; one that is slower is dropped."""
