"""Sealed state: what a server gives a client to keep, and recognises when it comes back.

The state is signed, not encrypted: a client can read it, which is why it holds nothing but what this client said
itself. HMAC-SHA256 over the payload and what it is bound to; the text is base64url without padding, and only the one
spelling that encoding gives is accepted. The key comes from MCPGEN_STATE_KEY, so that replicas share it; without it
each process makes its own, and states end with the process.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode

from ..wire import jsonrpc
from . import logs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KEY_VARIABLE = "MCPGEN_STATE_KEY"

LEAST_KEY = 32
"""Characters of a key that cannot be tried out: 128 bits as hexadecimal digits."""

MAC_BYTES = hashlib.sha256().digest_size

MAX_STATE = 256 * 1024
"""Characters of a state; it holds answers, and the longest are a model's."""

MARK_DIGITS = 32
"""Hexadecimal digits of a fingerprint: 128 bits, which nobody finds a second question for."""

_ALPHABET = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
_keys: dict[str, bytes] = {}


def seal(payload: bytes, binding: bytes, key: bytes) -> str:
    """Return the payload as a text that `unseal` recognises with the same binding and key."""
    return urlsafe_b64encode(_mac(payload, binding, key) + payload).rstrip(b"=").decode("ascii")


def unseal(text: str, binding: bytes, key: bytes) -> bytes | None:
    """Return the payload of a state sealed with this binding and key; None for any other text."""
    if len(text) > MAX_STATE or len(text) % 4 == 1 or not _ALPHABET.issuperset(text):
        return None
    raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if urlsafe_b64encode(raw).rstrip(b"=").decode("ascii") != text:
        return None  # the last character's unused bits were changed
    payload = raw[MAC_BYTES:]
    return payload if hmac.compare_digest(raw[:MAC_BYTES], _mac(payload, binding, key)) else None


def sealing_key() -> bytes:
    """Return the key of this process: from the environment, else one of its own."""
    said = os.environ.get(KEY_VARIABLE, "")
    key = _keys.get(said)
    if key is None:
        if said and len(said) < LEAST_KEY:
            logs.warning(f"{KEY_VARIABLE} is ignored: it needs {LEAST_KEY} characters at least")
        long_enough = len(said) >= LEAST_KEY
        key = hashlib.sha256(b"mcpgen state\0" + said.encode()).digest() if long_enough else os.urandom(MAC_BYTES)
        key = _keys.setdefault(said, key)
    return key


def fingerprint(value: Any) -> str:
    """Return the digest of a JSON value; the order of members does not matter, nor whether 1 is written 1.0."""
    return hashlib.sha256(jsonrpc.encode(_canonical(value))).hexdigest()[:MARK_DIGITS]


def _mac(payload: bytes, binding: bytes, key: bytes) -> bytes:
    return hmac.digest(key, hashlib.sha256(binding).digest() + payload, "sha256")


def _canonical(value: Any) -> Any:
    if type(value) is dict:
        return {name: _canonical(value[name]) for name in sorted(value)}
    if type(value) is list or type(value) is tuple:
        return [_canonical(item) for item in value]
    if type(value) is float:
        if value.is_integer():
            return int(value)
        return value if value - value == 0.0 else str(value)  # 1e999 is read as infinity, which JSON cannot say
    return value
