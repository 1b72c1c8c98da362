"""A running search whose answer does not rest on the bounds of one stranger alone.

When a SearchRun has an answer, bounds that only strangers have sent are proved again by others
(confirming.py). The same is done with all bounds of strangers when results contradict each other. A
false bound ends the search: it is to be begun anew without its source.
"""

from master.contract.events import AnswerArrived, PartEnded
from master.contract.rate import RateMeter
from master.contract.reading import Work
from master.search.commands import SearchAnswered, SearchFailed
from master.search.known import EARLIER
from master.search.running.actions import Action, ProveHere, Send
from master.search.running.confirming import Confirming
from master.search.running.numbering import from_wire
from master.search.running.run import SearchRun
from master.search.running.search_sessions import SearchSession
from master.search.running.wording import Wording
from master.search.scheduler import SearchScheduler

EARLIER_NAME = "an earlier run"
"""The name of the source of known bounds, for people."""


class CheckedRun(SearchRun):
    """One running search; its caller obeys ProveHere and passes the result to `answer_here`."""

    _found: SearchAnswered | None = None  # an answer that is being confirmed...
    _contradiction: SearchFailed | None = None  # ... or a contradiction that is looked into
    _confirming: Confirming | None = None

    def __init__(
        self,
        number: int,
        scheduler: SearchScheduler,
        wording: Wording,
        root: tuple[bytes, int],
        now: float,
    ) -> None:
        super().__init__(number, scheduler, wording, root, now)
        earlier = SearchSession(EARLIER, EARLIER_NAME, RateMeter(now, 0), party=EARLIER_NAME)
        self._all_workers[EARLIER] = earlier

    def receive(self, session: int, reported: Work, now: float) -> list[Action]:
        """Receive a session's reply about one of this search's parts, or about a claim."""
        _, part = from_wire(reported.part)
        confirming = self._confirming
        if confirming is None or not confirming.has(part, reported.attempt, session):
            return super().receive(session, reported, now)
        self._receive_confirmation(confirming, part, reported, now)
        return self._collect_actions()

    def answer_here(self, claim: int, text: str) -> list[Action]:
        """Take in the bounds of a claim that this process has proved."""
        if self._confirming is not None and not self.is_over:
            self._confirming.answer_here(claim, self.wording.read_answer(text))
        return self._collect_actions()

    # How it works.

    def _receive_answer(self, found: SearchAnswered) -> None:
        claims = self._scheduler.claims()
        if claims:
            self._found = found
            self._confirming = Confirming(claims, self.number, self.wording, self._all_workers)
        else:
            self.answer = found

    def _receive_failure(self, failed: SearchFailed) -> None:
        """Find the source of the false bound, if it may be a stranger."""
        claims = self._scheduler.disputed()
        if not claims:
            super()._receive_failure(failed)
            return
        for session in self._sessions.values():
            self._stop_all(session)
        self._contradiction = failed
        self._confirming = Confirming(claims, self.number, self.wording, self._all_workers)

    def _collect_actions(self) -> list[Action]:
        if self._confirming is not None and not self.is_over:
            self._confirm(self._confirming)
        return super()._collect_actions()

    def _fail(self, error: str) -> None:
        super()._fail(error)
        if self._confirming is not None:
            self._out += [Send(*each) for each in self._confirming.stops()]

    def _lose(self, session: SearchSession, now: float) -> None:
        super()._lose(session, now)
        if self._confirming is not None:
            self._confirming.lose(session)

    def _receive_confirmation(
        self, confirming: Confirming, part: int, reported: Work, now: float
    ) -> None:
        session, lease, window = confirming.asked(part, reported.attempt)
        if isinstance(reported, AnswerArrived):
            lease.answer = reported.text
        elif isinstance(reported, PartEnded):
            proved = self._read(session, lease, window, reported, now)
            if proved is not None:
                confirming.judge(part, reported.attempt, proved)

    def _confirm(self, confirming: Confirming) -> None:
        """Have the next claims proved, and end the search when all are, or one was false."""
        if confirming.liars:
            liars = sorted(confirming.liars, key=lambda session: session.name)
            self.liars = tuple(session.number for session in liars)
            names = " and ".join(map(_full_name, liars))
            self._fail(f"{names} told what is false: {confirming.text}")
        elif confirming.is_over and self._contradiction is not None:
            super()._receive_failure(self._contradiction)
        elif confirming.is_over:
            self._out += [Send(*each) for each in confirming.stops()]
            self.answer, self.unconfirmed = self._found, 0
        else:
            self.unconfirmed = confirming.left
            for each in confirming.ask(self._sessions.values()):
                self._out.append(each if isinstance(each, ProveHere) else Send(*each))


def _full_name(session: SearchSession) -> str:
    return session.name if session.name == session.party else f"{session.name} at {session.party}"
