"""What the checks of one run share: the subject, the limits, a scratch folder, and surveys that are made once."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

from .child import Child
from .conversation import Broken, Conversation
from .eras import LEGACY_ERA, MODERN, UI_CLIENT
from .finding import fail, untried
from .http_exchange import HttpConversation
from .survey import Survey, survey

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from .finding import Finding
    from .golden import GoldenCall
    from .subject import Project, Subject

START = "Start the command by hand and read what it says on standard error."
ADDRESS = "Look at the address, at whether the server runs, and at what it asks for by --header."

DEFAULT_TIMEOUT = 10.0
"""Seconds for one answer, the start included: clients wait some tens of seconds, and people do not."""


class Context:
    """One run over one subject."""

    def __init__(
        self,
        subject: Subject,
        scratch: Path,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        calls: Sequence[GoldenCall] = (),
        source: Path | None = None,
        tells_transport: bool = False,
    ) -> None:
        """Keep the golden calls, the source's folder, and whether `mcp_transport` is a check of the same run."""
        self.subject = subject
        self.scratch = scratch
        self.timeout = timeout
        self.calls = tuple(calls)
        self.source = source
        self.tells_transport = tells_transport
        self.cannot_start = False  # `cli_located` found out, and tells of it
        self._surveys: dict[tuple[str, bool], Survey] = {}
        self._words: tuple[str, ...] | None = None

    @property
    def project(self) -> Project:
        """The project; only checks of projects ask for it."""
        if self.subject.project is None:
            raise LookupError("the subject is no project")
        return self.subject.project

    def survey(self, era: str, *, views: bool = False) -> Survey:
        """Return what the server says in an era, as a client that shows views or does not; asked once."""
        key = (era, views)
        if key not in self._surveys:
            self._surveys[key] = self._asked(era, views=views)
        return self._surveys[key]

    def best(self) -> Survey:
        """Return the survey of an era that is served: the legacy one first, as most clients do."""
        legacy = self.survey(LEGACY_ERA)
        if legacy.served:
            return legacy
        modern = self.survey(MODERN) if self.answers_at_all() else legacy
        return modern if modern.served else legacy

    def answers_at_all(self) -> bool:
        """Tell whether a second conversation is worth its time: a server that hangs once hangs again."""
        return self.survey(LEGACY_ERA).problem is None

    @property
    def remedy(self) -> str:
        """What to do about a server that does not answer: a URL has no command that could be started."""
        return ADDRESS if self.subject.kind == "url" else START

    def blocked(self) -> Finding:
        """Return that a check needs a server that answers: skipped where another check tells why, else failed."""
        if self.cannot_start:
            return untried("it cannot be started; see cli_located")
        survey = self.best()
        reason = survey.problem or f"{survey.era}: {survey.refused}"
        return (
            untried("it cannot be talked to; see mcp_transport") if self.tells_transport else fail(reason, self.remedy)
        )

    def talk(self, argv: Sequence[str] | None = None, *, cwd: Path | None = None) -> Conversation | HttpConversation:
        """Begin a conversation with the subject, or with another command; raises Broken."""
        subject = self.subject
        if subject.kind == "url" and argv is None:
            return HttpConversation(subject.url, self.timeout, headers=subject.headers)
        return self.spoken(argv, cwd=cwd)

    def spoken(self, argv: Sequence[str] | None = None, *, cwd: Path | None = None) -> Conversation:
        """Begin a conversation over standard streams; raises Broken."""
        return Conversation(self.child(argv, cwd=cwd), self.timeout)

    def child(self, argv: Sequence[str] | None = None, *, cwd: Path | None = None) -> Child:
        """Start the subject, or another command, as a child; raises Broken."""
        words = self.words() if argv is None else argv
        try:
            return Child(words, cwd=cwd or self.subject.cwd, env=None)
        except (OSError, ValueError) as failure:
            reason = getattr(failure, "strerror", None) or str(failure)
            raise Broken(f"{words[0]!r} cannot be started: {reason}") from None

    def words(self) -> tuple[str, ...]:
        """Return what starts the subject; a project's interpreter keeps its compiled files out of the project."""
        if self._words is None:
            self._words = self.kept_clean(self.subject.argv)
        return self._words

    def kept_clean(self, argv: Sequence[str]) -> tuple[str, ...]:
        """Return the words with the option that lets Python write its compiled files into the scratch folder."""
        subject = self.subject
        if subject.project is None or argv[0] != subject.python:
            return tuple(argv)
        return (argv[0], "-X", f"pycache_prefix={self.scratch / 'compiled'}", *argv[1:])

    def found_command(self) -> str | None:
        """Return where the subject's command is, None when there is none."""
        return shutil.which(self.subject.argv[0], path=os.environ.get("PATH"))

    def _asked(self, era: str, *, views: bool) -> Survey:
        extensions: dict[str, Any] | None = UI_CLIENT if views else None
        try:
            with self.talk() as conversation:
                return survey(conversation, era, extensions)
        except Broken as broken:
            return Survey(era=era, problem=str(broken))
