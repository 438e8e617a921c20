"""TLS: always verified, with client certificates where a scheme wants one; contexts are costly and kept.

Trusted are the system's certificates, or those of SSL_CERT_FILE and SSL_CERT_DIR (which OpenSSL reads itself), and in
addition those of REQUESTS_CA_BUNDLE, CURL_CA_BUNDLE and the setting `ca_file`, where companies put theirs.
"""

from __future__ import annotations

import os
import ssl
from _thread import allocate_lock

from .problem import CANNOT_REACH, TransportProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping

CA_VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")


class Contexts:
    """One context for each client certificate and one for none."""

    __slots__ = ("_authorities", "_lock", "_made")

    def __init__(self, environment: Mapping[str, str], ca_file: str | None = None) -> None:
        self._authorities = [path for path in (ca_file, *map(environment.get, CA_VARIABLES)) if path]
        self._made: dict[tuple[str, str] | None, ssl.SSLContext] = {}
        self._lock = allocate_lock()

    def context(self, certificate: tuple[str, str] | None) -> ssl.SSLContext:
        """Return the context for a client certificate (file, key file). Raises TransportProblem."""
        with self._lock:
            found = self._made.get(certificate)
            if found is None:
                found = self._made[certificate] = self._make(certificate)
            return found

    def _make(self, certificate: tuple[str, str] | None) -> ssl.SSLContext:
        context = ssl.create_default_context()
        context.set_alpn_protocols(["http/1.1"])
        for path in self._authorities:
            try:
                if os.path.isdir(path):
                    context.load_verify_locations(capath=path)
                else:
                    context.load_verify_locations(cafile=path)
            except (OSError, ValueError):
                continue  # what is missing trusts less, never more
        if certificate is not None:
            try:
                # Without a password here OpenSSL would ask for one on the terminal, which is not ours.
                context.load_cert_chain(*certificate, password=_no_password)
            except (OSError, ValueError):
                raise _bad_certificate() from None
        return context


def wrap(plain: socket.socket, context: ssl.SSLContext, host: str) -> ssl.SSLSocket:
    """Put TLS on a connected socket; the handshake is still to come. Raises OSError and ValueError."""
    return context.wrap_socket(plain, server_hostname=host.rstrip("."), do_handshake_on_connect=False)


def explain(error: ssl.SSLError, place: str) -> TransportProblem:
    """Say what is wrong with a TLS connection to `place`, a host and port."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return TransportProblem(
            CANNOT_REACH,
            f"the certificate of {place} is not trusted: {error.verify_message or 'verification failed'}",
            retryable=False,
            suggestion=(
                "Ask the user to check the address; if a company's own certificate authority signed it, to set "
                "SSL_CERT_FILE to that authority's certificate. Verification cannot be turned off."
            ),
            sent=False,
        )
    reason = (error.reason or type(error).__name__).lower().replace("_", " ")
    return TransportProblem(
        CANNOT_REACH,
        f"no TLS connection to {place} could be made: {reason}",
        retryable=False,
        suggestion="Ask the user to check that the address speaks https and which client certificate it wants.",
    )


def _no_password() -> bytes:
    return b""


def _bad_certificate() -> TransportProblem:
    return TransportProblem(
        CANNOT_REACH,
        "the client certificate or its key could not be loaded",
        retryable=False,
        suggestion=(
            "Ask the user to check the configured certificate and key files: both in PEM form, readable, matching, and "
            "the key without a passphrase."
        ),
        sent=False,
    )
