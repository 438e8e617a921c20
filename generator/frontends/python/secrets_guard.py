"""Files that are never copied into a package, because of what they usually hold or are."""

from __future__ import annotations

import fnmatch
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import PurePath

_SECRETS = (
    ".env", ".env.*", "*.env", ".envrc", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".htpasswd",
    ".git-credentials", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "*.asc",
    "*.gpg", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "credentials", "credentials.*", "client_secret*.json",
    "service[-_]account*.json", "secret", "secret.*", "secrets", "secrets.*", "*.tfstate", "*.tfvars", "token.json",
)  # fmt: skip

_SAFE = frozenset({".env.example", ".env.sample", ".env.template"})
"""Names that look alike but hold only the names of settings."""

_SECRET_FOLDERS = frozenset({".aws", ".azure", ".docker", ".gnupg", ".kube", ".ssh"})


def looks_secret(path: PurePath) -> bool:
    """Return whether a file's name, or a folder it is in, says that it holds keys, tokens or passwords."""
    name = path.name.lower()
    if any(part.lower() in _SECRET_FOLDERS for part in path.parts):
        return True
    # Code is never a secret by its name: a module may well be called secrets.
    if name in _SAFE or name.endswith(".py"):
        return False
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in _SECRETS)
