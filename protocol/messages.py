"""Messages: one frozen pydantic model for each line of the protocol, with limits on every field.

SPEC.md explains each message; the names of fields are the keys on the wire. The first line of each
docstring is shown by `help`.
"""

import hashlib
from functools import lru_cache
from typing import Annotated, ClassVar, final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from protocol.access.lock import TICKET_PATTERN
from protocol.line import LINE_BYTES_MAX

VERSION = "2.2"
VERSION_MAJOR = 2

NUMBER_MAX = 2**53 - 1
"""Doubles, in every language, represent it exactly."""

ATTEMPT_MAX = 2**31 - 1
COUNT_MAX = 1_000_000
"""Trials of one part; a part is meant to last about a second."""

VALUE_COUNT_MAX = 64
"""64 values of at most 24 characters: 1,600 bytes of a line."""

CONTEXT_CHARACTERS_MAX = 8_192
"""Of a context or a question; see LINE_BYTES_MAX."""

ANSWER_CHARACTERS_MAX = 24_576
"""Not encoded; with 36 bytes around it, well within a line."""

ENTRIES_CHARACTERS_MAX = 8_192
"""Of one line; 200 of Othello's, so that none delays a result."""

NEWS_DEPTH_MAX = 255
"""A byte; no search is as deep."""

NAME_CHARACTERS_MAX = 64
TEXT_CHARACTERS_MAX = 1_000
"""Times 4 bytes of UTF-8, each %XX: 12,000 bytes of a line."""

GAME_COUNT_MAX = 32
SERVICE_COUNT_MAX = 32
CORE_COUNT_MAX = 65_536
UNACKED_MAX = 65_536
"""Default; about 32 MB of kept results."""

POWER_MAX = 1e15
STEPS_MAX = 2**63 - 1
"""The range of a 64-bit counter of an engine."""

HELLO_LINE_BYTES_MIN = 1_024
"""Of `line_bytes_max`: every line but requests and entries fits."""


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("text holds control characters")
    return text


def _ascii_printable(text: str) -> str:
    if not (text.isascii() and text.isprintable()):
        raise ValueError("text is not printable ASCII")
    return text


Number = Annotated[int, Field(ge=0, le=NUMBER_MAX)]
Attempt = Annotated[int, Field(ge=0, le=ATTEMPT_MAX)]
Count = Annotated[int, Field(ge=0, le=COUNT_MAX)]
CoreCount = Annotated[int, Field(ge=1, le=CORE_COUNT_MAX)]
Value = Annotated[float, Field(allow_inf_nan=False)]
Power = Annotated[float, Field(ge=0.0, le=POWER_MAX, allow_inf_nan=False)]
Word = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,31}$")]
Token = Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{1,32}$")]
Version = Annotated[str, Field(pattern=r"^[0-9]{1,4}\.[0-9]{1,4}$")]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
Nonce = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Proof = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Ticket = Annotated[str, Field(pattern=TICKET_PATTERN)]
SessionName = Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{0,32}$", repr=False)]
Name = Annotated[
    str, Field(min_length=1, max_length=NAME_CHARACTERS_MAX), AfterValidator(_printable)
]
Text = Annotated[str, Field(max_length=TEXT_CHARACTERS_MAX), AfterValidator(_printable)]
PlainText = Annotated[str, Field(max_length=TEXT_CHARACTERS_MAX), AfterValidator(_ascii_printable)]
Context = Annotated[
    str, Field(min_length=1, max_length=CONTEXT_CHARACTERS_MAX), AfterValidator(_ascii_printable)
]
AnswerText = Annotated[
    str, Field(min_length=1, max_length=ANSWER_CHARACTERS_MAX), AfterValidator(_ascii_printable)
]

EntriesText = Annotated[
    str, Field(min_length=1, max_length=ENTRIES_CHARACTERS_MAX), AfterValidator(_ascii_printable)
]
NewsDepth = Annotated[int, Field(ge=-1, le=NEWS_DEPTH_MAX)]


class Message(BaseModel):
    """One line. `verb` is its first word, `positional` the fields that follow without a key."""

    # A model's validator is made with its first message: no program needs all of them.
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", defer_build=True)

    verb: ClassVar[str]
    positional: ClassVar[tuple[str, ...]] = ()
    rest: ClassVar[str] = ""  # a field after these: the rest of the line, not encoded


class Challenge(Message):
    """The first line of an analyser that asks for a secret; its greeting follows the proof."""

    verb = "challenge"
    positional = ("version", "nonce")
    version: Version = VERSION
    nonce: Nonce
    ticket: Ticket | None = None


class Response(Message):
    """The master's answer to a challenge: its proof, and what the analyser is to prove in turn."""

    verb = "response"
    positional = ("nonce", "proof")
    nonce: Nonce
    proof: Proof


class AnalyserHello(Message):
    """The analyser's greeting, its first line, sent before anything slow is loaded."""

    verb = "analyser"
    positional = ("version",)
    version: Version = VERSION
    name: Name
    cores: CoreCount
    session: SessionName = ""  # public id of the session it can go on with; empty: none
    games: Annotated[tuple[Word, ...], Field(max_length=GAME_COUNT_MAX)] = ()
    line_bytes_max: Annotated[int, Field(ge=HELLO_LINE_BYTES_MIN, le=NUMBER_MAX)] = LINE_BYTES_MAX
    unacked_max: Annotated[int, Field(ge=1, le=COUNT_MAX)] = UNACKED_MAX
    first_unacked: Annotated[int, Field(ge=1, le=NUMBER_MAX)] = 1  # ordinal of the oldest kept
    proof: Proof | None = None  # after a response: the analyser's proof of the secret


class MasterHello(Message):
    """The master's answer to the greeting: it names the session that starts or goes on."""

    verb = "master"
    positional = ("version",)
    version: Version = VERSION
    name: Name
    session: SessionName = ""  # its secret: the greeting's goes on, another is new; empty: unnamed
    received: Number = 0  # results of the session received so far


class Engine(Message):
    """One game the analyser computes: the engine's digest and its power for that game."""

    verb = "engine"
    positional = ("game",)
    game: Word
    digest: Digest
    power: Power  # work a second, of all workers together
    # Requests that it answers: `trials`, `search`, and the services of its questions.
    services: Annotated[tuple[Word, ...], Field(max_length=SERVICE_COUNT_MAX)] = ("trials",)
    name: Text = ""  # of an engine that is not the game's own, for people


class Ready(Message):
    """The analyser takes parts from now on, `workers` at a time; said again when that changed."""

    verb = "ready"
    positional = ("workers",)
    workers: CoreCount


class Busy(Message):
    """Refusal of a master: the analyser serves another one."""

    verb = "busy"
    by: Name


class PartMessage(Message):
    """Anything about one handing-out of a part."""

    part: Number
    attempt: Attempt


class Trials(PartMessage):
    """Request: play trials first_seq .. first_seq + count - 1 of a context."""

    verb = "trials"
    positional = ("part", "attempt", "first_seq", "count")
    first_seq: Number
    count: Annotated[int, Field(ge=1, le=COUNT_MAX)]
    context: Context
    urgent: bool = False  # a person waits: parts that are not urgent make room


@final
class Question(PartMessage):
    """Request: answer a question, which is the context; its kind belongs to the service."""

    verb = "question"
    positional = ("part", "attempt", "service")
    service: Word
    context: Context
    urgent: bool = False


class Search(PartMessage):
    """Request: search a part of a game tree; the context says which, as a question does."""

    verb = "search"
    positional = ("part", "attempt")
    context: Context
    news: NewsDepth = -1  # table entries of this depth and more are sent; -1: none
    urgent: bool = False


@final
class Trial(PartMessage):
    """Result: the values of one trial of a part."""

    verb = "trial"
    positional = ("part", "attempt", "seq", "values")
    seq: Number
    values: Annotated[tuple[Value, ...], Field(min_length=1, max_length=VALUE_COUNT_MAX)]


@final
class Answer(PartMessage):
    """Result: the answer to the question of a part; `done` follows, or `stopped` of a search."""

    verb = "answer"
    positional = ("part", "attempt")
    rest = "text"
    text: AnswerText


class Done(PartMessage):
    """Final result: all `count` trials of the part were sent, or its one answer."""

    verb = "done"
    positional = ("part", "attempt", "context_digest", "count")
    context_digest: Digest
    count: Count


class Stopped(PartMessage):
    """Final result: the part was stopped, after `count` trials or answers were sent."""

    verb = "stopped"
    positional = ("part", "attempt", "context_digest", "count")
    context_digest: Digest
    count: Count


@final
class Fail(PartMessage):
    """Final result: the part cannot be computed; trials already sent stand."""

    verb = "fail"
    positional = ("part", "attempt", "code")
    code: Word
    text: Text = ""


class Stop(PartMessage):
    """Ask for the early end of a part; its final result still comes."""

    verb = "stop"
    positional = ("part", "attempt")


class Ack(Message):
    """The first `count` results of the session are stored durably; the analyser may drop them."""

    verb = "ack"
    positional = ("count",)
    count: Number


class Progress(PartMessage):
    """Steps of work done on a running part; steps that do not grow mean a hung engine."""

    verb = "progress"
    positional = ("part", "attempt", "steps")
    steps: Annotated[int, Field(ge=0, le=STEPS_MAX)]


class Entries(Message):
    """Table entries of searches, for whoever searches the same game; no result, may be lost."""

    verb = "entries"
    positional = ("game",)
    rest = "text"
    game: Word
    text: EntriesText


class Ping(Message):
    """Are you there? Answered by `pong` with the same token, in order, hence also a barrier."""

    verb = "ping"
    positional = ("token",)
    token: Token


class Pong(Message):
    """The answer to `ping`."""

    verb = "pong"
    positional = ("token",)
    token: Token


class Drain(Message):
    """No new parts from now on; those outstanding are finished, then either side says bye."""

    verb = "drain"


class Bye(Message):
    """The last line of a side that leaves on purpose."""

    verb = "bye"
    reason: Text = ""


class Error(Message):
    """The peer's last line could not be read, or broke a rule; see the table of codes."""

    verb = "error"
    positional = ("code",)
    code: Word
    text: Text = ""


class Help(Message):
    """By hand: list the verbs."""

    verb = "help"


class Who(Message):
    """By hand: who is the analyser's master."""

    verb = "who"


class Status(Message):
    """By hand: what is the analyser doing."""

    verb = "status"


class Info(Message):
    """One line of an answer to `help`, `who` or `status`, for people; the rest of the line."""

    verb = "info"
    rest = "text"
    text: PlainText


ANALYSER_MESSAGES: tuple[type[Message], ...] = (
    Challenge, Response, AnalyserHello, MasterHello, Engine, Ready, Busy, Trials, Question, Search,
    Trial, Answer, Done, Stopped, Fail, Stop, Ack, Progress, Entries, Ping, Pong, Drain, Bye, Error,
    Help, Who, Status, Info,
)  # fmt: skip

PartRequest = Trials | Question | Search
REQUEST_TYPES = (Trials, Question, Search)

PartResult = Trial | Answer | Done | Stopped | Fail
RESULT_TYPES = (Trial, Answer, Done, Stopped, Fail)
RESULT_VERBS = frozenset(kind.verb for kind in RESULT_TYPES)


@lru_cache(maxsize=256)
def context_digest(context: str) -> str:
    """Return the 16 hex digits by which results name their context: SHA-256, first 64 bits.

    A question has its digest in the same way.
    """
    return hashlib.sha256(context.encode("ascii")).hexdigest()[:16]


def to_text(text: str, characters_max: int = TEXT_CHARACTERS_MAX) -> str:
    """Make any text fit for a text field: unprintable characters become `?`, the end is cut."""
    shown = text[:characters_max]
    if shown.isprintable():
        return shown
    return "".join(mark if mark.isprintable() else "?" for mark in shown)
