"""The limits of connections and exchanges, with their reasons. What is meant to be tuned stands in operations.json."""

CONNECT_SECONDS = 10.0
"""Time for all addresses of a host together: three lost SYN packets fit in; a longer wait never helped anybody."""

MAX_ANSWER_BYTES = 10 * 1024 * 1024
"""One decompressed answer: the same as a message on the wire, which an answer has to fit into."""

MAX_HEAD_BYTES = 64 * 1024
"""Status line and headers of an answer. Servers refuse requests with a fraction of it; answers stay below 16 KiB."""

MAX_HEADERS = 256
"""Header lines of an answer; real ones have under 60."""

MAX_INTERIM = 8
"""1xx answers before the real one: 100 and 103 are all there are in practice."""

MAX_REASON = 100
"""Characters of a reason phrase that are kept, because the model reads it."""

MAX_LINE_BYTES = 4096
"""A chunk's size line with its extensions."""

MAX_GZIP_MEMBERS = 1000
"""Members of one gzip stream: each copies what follows it, so a stream of tiny ones costs quadratic time."""

READ_BYTES = 64 * 1024
"""One read from a socket: most answers come in one."""

ONE_SEND_BYTES = 64 * 1024
"""Up to this size head and body are joined into one write; a larger body is not worth the copy."""

MAX_IDLE_EACH = 32
"""Idle connections kept to one origin: as many as calls run at once."""

MAX_IDLE = 64
"""Idle connections kept in all: a description with many hosts must not use up the descriptors."""

IDLE_SECONDS = 30.0
"""How long an idle connection is kept; many servers and firewalls drop theirs after 60 and some without a word."""

FRESH_SECONDS = 4.0
"""How long it was idle at most when a request must not be sent twice: common servers close after 5 seconds, and a
request that crosses the closing is lost without a trace."""


MAX_REDIRECTS = 5
"""Redirects that are followed one after the other."""

RETRIES = 2
"""Further attempts when operations.json does not say."""

BACK_OFF_SECONDS = 0.25
"""The first wait between attempts; it doubles each time and is shortened by up to half at random."""

MAX_BACK_OFF_SECONDS = 4.0
"""The longest wait that the client chooses itself."""

MAX_RETRY_AFTER_SECONDS = 10.0
"""The longest wait a server may ask for; beyond it the model gets the answer and decides."""

MAX_RATE_WAIT_SECONDS = 2.0
"""How long a call waits for its turn under the rate limit before it is refused."""

BREAKER_FAILURES = 5
"""Failures to connect in a row after which an origin is left alone."""

BREAKER_SECONDS = 30.0
"""How long it is left alone."""
