"""One part being computed, and how it is cut into engine calls.

`Task.run_slice` computes a slice and returns the messages that result. No threads, no links.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine_ext import contexts, services
from engine_ext.control import RunControl
from engine_ext.front import SearchPart
from protocol.codes import ReplyCode
from protocol.messages import (
    Answer,
    Done,
    Entries,
    Fail,
    Message,
    PartRequest,
    Progress,
    Question,
    Search,
    Stopped,
    Trial,
    Trials,
    context_digest,
    to_text,
)

SLICE_S = 0.05
"""Aim of one engine call: results stream, and a stop is noticed, about this often."""

SLICE_TRIALS_MAX = 256
"""Trials of one engine call at most; bounds the results that may wait for the link at once."""

SEARCH_SLICE_S = 0.1
"""Aim of one engine call of a search: its table entries are sent about this often.

A stop is noticed at once, within some thousand nodes. Each new call begins with cold caches: at
20 ms, sending took two analysers on two cores a twentieth of all their time.
"""

SLICE_NODES_MIN, SLICE_NODES_FIRST, SLICE_NODES_MAX = 1 << 12, 1 << 18, 1 << 26
"""Nodes of one engine call of a search: for the slowest machine; for the first call, when the speed
is unknown; and more than any machine searches in that time."""


@dataclass(eq=False)
class Task:
    """A part: computed slice by slice until its final message; most questions in one slice.

    Args:
        request: The master's request.
        is_refused: It came after a drain: nothing is computed, its one message is `fail`.
        control: Shared with the running engine call; pauses and stops it, counts its steps.
        done_count: Trials computed so far, or answers.
        slice_trials: Trials of the next engine call, unless fewer are left.
        has_begun: Whether an engine call was made.
        paused_reports: Reports of progress made while it was paused.
        search: Its search, once that has begun.
        slice_nodes: Nodes of its next engine call.
    """

    request: PartRequest
    is_refused: bool = False
    control: RunControl = field(default_factory=RunControl)
    done_count: int = 0
    slice_trials: int = 1
    has_begun: bool = False
    paused_reports: int = 0
    search: SearchPart | None = None
    slice_nodes: int = SLICE_NODES_FIRST

    @property
    def key(self) -> tuple[int, int]:
        """(part, attempt)."""
        return self.request.part, self.request.attempt

    @property
    def is_urgent(self) -> bool:
        """Whether a person waits for it."""
        return self.request.urgent

    @property
    def count(self) -> int:
        """Results to compute before the final message: trials, or the one answer."""
        return self.request.count if isinstance(self.request, Trials) else 1

    @property
    def next_trials(self) -> int:
        """Trials of the next slice."""
        return min(self.slice_trials, self.count - self.done_count)

    def progress(self) -> Progress:
        """Return the report of the steps so far; a pause adds one to each report (SPEC.md)."""
        self.paused_reports += self.control.is_paused
        part, attempt = self.key
        steps = self.control.steps + self.paused_reports
        return Progress(part=part, attempt=attempt, steps=steps)

    def run_slice(self, trials_max: int) -> tuple[list[Message], bool]:
        """Compute the next slice; return its messages and whether the last is the final one.

        The messages are at most `trials_max` trials, or an answer, and a final message, besides
        table entries, which are no results. Any exception of the engine becomes a `fail`: a broken
        engine must not end the daemon, and the master gives up a part that fails everywhere.
        """
        if self.is_refused:
            return [self._fail(ReplyCode.DRAINING, "the analyser is draining")], True
        self.has_begun = True
        try:
            if isinstance(self.request, Trials):
                return self._play(self.request, min(self.next_trials, trials_max))
            if isinstance(self.request, Search):
                return self._search(self.request)
            return self._answer(self.request)
        except contexts.ContextError as error:
            return [self._fail(error.code, str(error))], True
        except Exception as error:  # an engine's own mistake is reported, not swallowed
            text = f"{type(error).__name__}: {error}"
            return [self._fail(ReplyCode.ENGINE_ERROR, text)], True

    def _play(self, request: Trials, count: int) -> tuple[list[Message], bool]:
        part, attempt = self.key
        runner = services.trial_runner(request.context)
        first = request.first_seq + self.done_count
        values = runner.run(first, count, self.control)
        assert len(values) == count or self.control.is_stopped, "only a stop cuts a slice short"
        messages: list[Message] = [
            Trial(part=part, attempt=attempt, seq=first + i, values=trial)
            for i, trial in enumerate(values)
        ]
        self.done_count += len(values)
        if self.done_count < request.count and not self.control.is_stopped:
            return messages, False
        messages.append(self._final(is_finished=self.done_count == request.count))
        return messages, True

    def _answer(self, question: Question) -> tuple[list[Message], bool]:
        service = services.question_kind(question.context)[1].service
        if service != question.service:
            raise contexts.ContextError(
                ReplyCode.BAD_CONTEXT, f"a question for {service}, not for {question.service}"
            )
        text = services.answer(question.context, self.control)
        if text is None:
            assert self.control.is_stopped, "only a stop leaves a question without an answer"
            return [self._final(is_finished=False)], True
        part, attempt = self.key
        self.done_count = 1
        return [Answer(part=part, attempt=attempt, text=text), self._final(is_finished=True)], True

    def _search(self, request: Search) -> tuple[list[Message], bool]:
        if self.control.is_stopped and self.search is None:
            return [self._final(is_finished=False)], True
        if self.search is None:
            self.search = services.search_part(request.context, self.control, request.news)
        is_finished = self.search.step(self.slice_nodes)
        game = services.question_kind(request.context)[0]
        messages: list[Message] = [Entries(game=game, text=text) for text in self.search.news()]
        if not is_finished and not self.control.is_stopped:
            return messages, False
        part, attempt = self.key
        self.done_count = 1
        messages.append(Answer(part=part, attempt=attempt, text=self.search.end()))
        messages.append(self._final(is_finished=is_finished))
        return messages, True

    def _final(self, *, is_finished: bool) -> Done | Stopped:
        kind = Done if is_finished else Stopped
        part, attempt = self.key
        digest = context_digest(self.request.context)
        return kind(part=part, attempt=attempt, context_digest=digest, count=self.done_count)

    def _fail(self, code: str, text: str) -> Fail:
        part, attempt = self.key
        return Fail(part=part, attempt=attempt, code=code, text=to_text(text))

    def adapt_slice(self, count: int, elapsed_s: float) -> None:
        """Size the next slice from how long `count` trials, or the nodes of this one, took."""
        if self.search is not None:
            factor = min(SEARCH_SLICE_S / max(elapsed_s, 1e-9), 4.0)
            nodes = int(self.slice_nodes * factor)
            self.slice_nodes = max(SLICE_NODES_MIN, min(nodes, SLICE_NODES_MAX))
        elif elapsed_s * 2 < SLICE_S:
            self.slice_trials = min(max(count, 1) * 4, SLICE_TRIALS_MAX)
        else:
            self.slice_trials = max(1, min(SLICE_TRIALS_MAX, int(count * SLICE_S / elapsed_s)))
