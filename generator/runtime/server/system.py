"""The few operating-system calls of the start path, without importing `os`.

`os` pulls in four pure Python modules (2 ms of a 10 ms start under `-S`); `posix` is built into the interpreter and
holds the same functions. Elsewhere, on Windows, `os` is used.
"""

from __future__ import annotations

try:
    from posix import (
        O_RDONLY,
        O_RDWR,
        close,
        dup,
        dup2,
        environ,
        fstat,
        getpid,
        getppid,
        isatty,
        open,  # noqa: A004 # the operating system's word
        pipe,
        read,
        register_at_fork,
        set_blocking,
        stat,
        write,
    )
    from posix import (
        _exit as leave,
    )

    DEVNULL = "/dev/null"
except ImportError:
    from os import (
        O_RDONLY,
        O_RDWR,
        close,
        dup,
        dup2,
        fstat,
        getpid,
        getppid,
        isatty,
        open,  # noqa: A004
        pipe,
        read,
        stat,
        write,
    )
    from os import (
        _exit as leave,
    )
    from os import devnull as DEVNULL  # noqa: N812 # a constant here
    from os import environ as _environ

    environ = {name.encode(): value.encode() for name, value in _environ.items()}

    register_at_fork = None  # type: ignore[assignment]  # nothing forks there
    set_blocking = None  # type: ignore[assignment]  # signals wake nothing through a pipe there

__all__ = [
    "DEVNULL",
    "O_RDONLY",
    "O_RDWR",
    "close",
    "dup",
    "dup2",
    "environ",
    "fstat",
    "getpid",
    "getppid",
    "isatty",
    "leave",
    "open",
    "pipe",
    "read",
    "register_at_fork",
    "set_blocking",
    "stat",
    "write",
]
