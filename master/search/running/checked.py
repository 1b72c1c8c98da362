"""A running search whose answer does not rest on the bounds of one stranger alone.

When a SearchRun has an answer, bounds that only strangers have sent are proved again by others. The
same is done with all bounds of strangers when results contradict each other. A false bound ends the
search: it is to be begun anew without its source.

A *party* is a group of sessions that may lie together: all sessions from one host, or, with the
empty name, this process and its own analysers, whose bounds are believed. A claim is confirmed when
a party other than its own has proved it. Where two parties contradict each other, this process
proves which one is wrong.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from master.contract.events import AnswerArrived, PartEnded
from master.contract.leases import Lease
from master.contract.rate import RateMeter
from master.contract.reading import Work
from master.search.claims import Claim
from master.search.events import HandOutPart, SearchAnswered, SearchFailed
from master.search.known import EARLIER
from master.search.running.run import Action, ProveHere, SearchRun, Send
from master.search.running.search_sessions import SearchSession, from_wire, to_wire
from master.search.running.wording import Proved, Wording
from master.search.scheduler import SearchScheduler
from protocol.messages import Message, Search, Stop

OUR_PARTY = ""
"""The party that is believed."""

CLAIM_PART_FIRST = 1 << 31
"""Parts of a search stay below: no search hands so many out."""


@dataclass(slots=True, eq=False)
class _ClaimLease(Lease):
    """A claim that a session is asked about."""

    claim: int
    session: SearchSession


class Confirming:
    """The claims of one answer.

    Args:
        claims: in the order in which their proofs are begun.
        search: number of the search.
        wording: the game's.
        session_of: the session of each analyser that made a claim.

    Attributes:
        liars: the sessions that sent a false bound; none: not found yet.
        text: the false bound, for people.
    """

    def __init__(
        self,
        claims: Sequence[Claim],
        search: int,
        wording: Wording,
        session_of: Mapping[int, SearchSession],
    ) -> None:
        self.liars: frozenset[SearchSession] = frozenset()
        self.text = ""
        self._claims = claims
        self._search = search
        self._wording = wording
        self._tellers = [frozenset(session_of[who] for who in claim.tellers) for claim in claims]
        self._parties = [
            frozenset(session.party for session in sessions) for sessions in self._tellers
        ]
        self._open = dict.fromkeys(range(len(claims)))
        self._waiting = dict(self._open)
        self._doubts: dict[int, SearchSession] = {}
        self._asked: dict[tuple[int, int], _ClaimLease] = {}
        self._here: int | None = None
        self._attempts: Counter[int] = Counter()

    @property
    def left(self) -> int:
        """How many claims are not proved by others yet."""
        return len(self._open)

    @property
    def is_over(self) -> bool:
        """Whether all are proved, or a false bound was found."""
        return not self._open or bool(self.liars)

    def ask(self, sessions: Iterable[SearchSession]) -> list[tuple[int, Message] | ProveHere]:
        """Have every free session prove a claim; the messages are for sessions by their numbers.

        This process searches only where it has no analyser of its own.
        """
        out: list[tuple[int, Message] | ProveHere] = []
        present = [session for session in sessions if session.workers]
        holding = Counter(asked.session for asked in self._asked.values())
        for session in present:
            for _ in range(len(session.workers) - holding[session]):
                claim = self._next_for(session.party)
                if claim is None:
                    break
                out.append((session.number, self._request(claim, session)))
        if self._here is None and not any(session.party == OUR_PARTY for session in present):
            claim = self._here = self._next_for(OUR_PARTY)
            if claim is not None:
                out.append(ProveHere(claim, self._question(claim)))
        return out

    def _next_for(self, party: str) -> int | None:
        """Return a claim for a party; if it is ours, also doubted claims and slow ones."""
        others: Iterator[int] = (
            claim for claim in self._waiting if party not in self._parties[claim]
        )
        if party == OUR_PARTY:
            ours = {
                asked.claim for asked in self._asked.values() if asked.session.party == OUR_PARTY
            }
            ours.add(-1 if self._here is None else self._here)
            late = (claim for claim in self._open if claim not in ours)
            doubted = (claim for claim in self._doubts if claim not in ours)
            others = chain(doubted, others, late)
        claim = next(others, None)
        if claim is not None:
            self._waiting.pop(claim, None)
        return claim

    def _part(self, claim: int) -> HandOutPart:
        one = self._claims[claim]
        self._attempts[claim] += 1
        part = CLAIM_PART_FIRST + claim
        return HandOutPart(0, part, self._attempts[claim], one.position, one.depth, *one.window)

    def _question(self, claim: int) -> str:
        return self._wording.question(self._part(claim))

    def _request(self, claim: int, session: SearchSession) -> Search:
        part = self._part(claim)
        key = part.part, part.generation
        self._asked[key] = _ClaimLease(claim, session, key=key)
        return Search(
            part=to_wire(self._search, part.part),
            attempt=part.generation,
            context=self._wording.question(part),
            urgent=True,
        )

    # Replies.

    def has(self, part: int, attempt: int, session: int) -> bool:
        """Tell whether a session was asked this about a claim."""
        asked = self._asked.get((part, attempt))
        return asked is not None and asked.session.number == session

    def asked(self, part: int, attempt: int) -> tuple[SearchSession, Lease, tuple[int, int]]:
        """Return the session that was asked, with its attempt, and the window."""
        lease = self._asked[part, attempt]
        return lease.session, lease, self._claims[lease.claim].window

    def judge(self, part: int, attempt: int, proved: Proved) -> None:
        """Take in a session's proof of a claim, unless others prove it since the session left."""
        asked = self._asked.pop((part, attempt), None)
        if asked is None:
            return
        self._judge(asked.claim, asked.session, proved)

    def answer_here(self, claim: int, proved: Proved) -> None:
        """Take in this process's proof of a claim."""
        self._here = None
        self._judge(claim, None, proved)

    def lose(self, session: SearchSession) -> None:
        """Have others prove the claims of a session that has gone."""
        for key, asked in list(self._asked.items()):
            if asked.session is session:
                del self._asked[key]
                self._put_back(asked.claim)

    def stops(self) -> list[tuple[int, Message]]:
        """Return messages that end running proofs, by the numbers of their sessions."""
        return [
            (asked.session.number, Stop(part=to_wire(self._search, part), attempt=attempt))
            for (part, attempt), asked in self._asked.items()
        ]

    def _put_back(self, claim: int) -> None:
        if claim in self._open and claim not in self._doubts:
            self._waiting[claim] = None

    def _judge(self, claim: int, session: SearchSession | None, proved: Proved) -> None:
        """Compare a claim with the bounds that a session, or this process, has proved."""
        is_ours = session is None or session.party == OUR_PARTY
        one, bounds = self._claims[claim], (proved.lower, proved.upper)
        if claim not in self._open:
            return
        if one.is_refuted_by(*bounds):
            if is_ours:
                self._accuse(self._tellers[claim], f"that it is {_bound_text(one)}")
            elif session is not None:
                self._doubts[claim] = session
        elif not one.is_proved_by(*bounds):
            self._put_back(claim)
        elif claim not in self._doubts:
            del self._open[claim]
        elif is_ours:
            liars = frozenset([self._doubts[claim]])
            self._accuse(liars, f"that it is not {_bound_text(one)}")

    def _accuse(self, liars: frozenset[SearchSession], what: str) -> None:
        self.liars, self.text = liars, f"of a position's value, {what}"


def _bound_text(claim: Claim) -> str:
    return f"at {'least' if claim.is_lower else 'most'} {claim.bound}"


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
