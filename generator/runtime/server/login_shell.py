"""The login shell's environment, for servers that hosts start from a desktop without it (setting `shell_env`).

Off by default: it costs a shell's start and runs the user's profile. When on, it happens once, before the first call.
Segments of PATH that only the shell has are put in front; any other variable is taken only if it is unset here.
"""

from __future__ import annotations

import os

from . import logs

TIMEOUT_SECONDS = 5.0
"""A profile that takes longer is broken or waits for somebody."""

MAX_BYTES = 1024 * 1024
"""More than any environment the kernel would accept in practice."""

BEGIN = b"__mcpgen_environment__\n"
"""Stands between what a profile prints and the environment."""

OWN = frozenset(("PWD", "OLDPWD", "SHLVL", "_"))
"""Variables that describe the shell itself."""


def adopt(wanted: bool | str) -> None:  # noqa: FBT001 # the setting's own form: true, false or "path"
    """Merge the login shell's environment into this process's; `wanted` "path" takes PATH only. Never raises."""
    if not wanted or os.name != "posix":
        return
    try:
        found = parse(_ask(_shell()))
    except Exception as error:  # noqa: BLE001 # whatever a user's profile does, the server goes on without it
        logs.warning(f"going on without the login shell's environment ({type(error).__name__}: {error})")
        return
    merge(found, path_only=isinstance(wanted, str) and wanted.lower() == "path")


def parse(output: bytes) -> dict[str, str]:
    """Return the variables in a shell's output; raises ValueError when there are none."""
    _, begin, environment = output.partition(BEGIN)
    pairs = (item.partition(b"=") for item in environment.split(b"\0"))
    found = {os.fsdecode(name): os.fsdecode(value) for name, equals, value in pairs if name and equals}
    if not begin or not found:
        message = "it printed no environment"
        raise ValueError(message)
    return found


def merge(found: dict[str, str], *, path_only: bool) -> None:
    """Merge variables into this process's environment."""
    have = os.environ.get("PATH", "").split(os.pathsep)
    new = [segment for segment in found.get("PATH", "").split(os.pathsep) if segment and segment not in have]
    if new:
        os.environ["PATH"] = os.pathsep.join([*dict.fromkeys(new), *(segment for segment in have if segment)])
    if path_only:
        return
    for name, value in found.items():
        if name not in OWN and name not in os.environ:
            os.environ[name] = value


def _shell() -> str:
    shell = os.environ.get("SHELL")
    if shell:
        return shell
    import pwd

    return pwd.getpwuid(os.getuid()).pw_shell or "/bin/sh"


def _ask(shell: str) -> bytes:
    """Run the shell in a session of its own, so that a profile that hangs is ended with all it started."""
    import signal
    import subprocess

    command = [shell, "-l", "-c", f"echo {BEGIN.decode().strip()}; env -0"]
    process = subprocess.Popen(  # noqa: S603 # the user's own shell, no text from anybody else
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with process:
        try:
            output, _ = process.communicate(timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            message = f"no answer within {TIMEOUT_SECONDS:g} s"
            raise TimeoutError(message) from None
    return output[:MAX_BYTES]
