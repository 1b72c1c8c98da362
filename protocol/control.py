"""Messages of the control socket, between a client and a master daemon.

Section 10 of SPEC.md explains each message.
"""

from typing import Annotated

from pydantic import Field

from protocol.codec import Codec
from protocol.control_fields import (
    INTERVAL_S_DEFAULT,
    INTERVAL_S_MAX,
    INTERVAL_S_MIN,
    AskedCount,
    Bound,
    Caught,
    Incidents,
    Label,
    LongText,
    Names,
    Numbers,
    Path,
    Position,
    PriorityWord,
    QuestionIndex,
    Rate,
    Rates,
    StopSe,
    StopSettled,
    TrialCount,
    ValueRow,
    WholeAnswer,
)
from protocol.messages import (
    AnswerText,
    Bye,
    Context,
    Digest,
    Error,
    Message,
    Name,
    Number,
    Ping,
    PlainText,
    Pong,
    Value,
    Version,
    Word,
)

CONTROL_VERSION = "1.8"
CONTROL_MINOR_MIN = 2
"""The second number of the oldest master that a client understands: it numbers every reply."""
# A job line holds a context (8,192 characters, percent-encoded at worst 24,576 bytes), a label
# (4,000 characters, at worst 48,000 bytes) and the names of its alternatives and values; that of
# a search an answer of 24,576 ASCII characters, at worst 73,728 bytes.
CONTROL_LINE_BYTES_MAX = 1 << 18

PRIORITY_MINOR_MIN = 8
"""Older masters answer `unknown-verb`."""

SETTLED_MINOR_MIN = 7
"""Older masters would ignore `stop_settled`."""


class Control(Message):
    """The master's greeting, its first line."""

    verb = "control"
    positional = ("version",)
    version: Version = CONTROL_VERSION
    name: Name
    pid: Number
    state: LongText | None = None
    listens: LongText | None = None
    web: LongText | None = None


class Request(Message):
    """Anything a client asks; `request` is its own number for it, echoed by every reply."""

    request: Number


class Submit(Request):
    """Run a new job: trials of a context, or the search of a position."""

    verb = "submit"
    positional = ("request",)
    context: Context
    trials: TrialCount | None = None
    stop_se: StopSe | None = None
    stop_settled: StopSettled | None = None
    label: Label = ""


class Jobs(Request):
    """List all jobs."""

    verb = "jobs"
    positional = ("request",)


class Show(Request):
    """Show one job."""

    verb = "show"
    positional = ("request", "job")
    job: Number


class Attach(Request):
    """Show one job again and again, until it stands still."""

    verb = "attach"
    positional = ("request", "job")
    job: Number
    interval_s: Annotated[float, Field(ge=INTERVAL_S_MIN, le=INTERVAL_S_MAX)] = INTERVAL_S_DEFAULT


class Resume(Request):
    """Go on with a job."""

    verb = "resume"
    positional = ("request", "job")
    job: Number


class Extend(Request):
    """Add games of each alternative to a job, and go on with it."""

    verb = "extend"
    positional = ("request", "job", "extra")
    job: Number
    extra: TrialCount


class Halt(Request):
    """Stop a job; the answer comes when everything computed for it is stored."""

    verb = "halt"
    positional = ("request", "job")
    job: Number


class Prioritise(Request):
    """Put a running job of trials behind all others, `background`, or back: `standing`."""

    verb = "priority"
    positional = ("request", "job", "priority")
    job: Number
    priority: PriorityWord


class Forget(Request):
    """Delete a job with all that is stored of it; one that runs is refused."""

    verb = "forget"
    positional = ("request", "job")
    job: Number


class Ask(Request):
    """Answer questions: so many `question` lines follow, in order."""

    verb = "ask"
    positional = ("request", "count")
    count: AskedCount
    priority: PriorityWord = "asked"


class Cancel(Request):
    """End a request of this client that is being carried out: it is refused."""

    verb = "cancel"
    positional = ("request", "ended")
    ended: Number


class StatusRequest(Request):
    """Say how the master is, for people."""

    verb = "status"
    positional = ("request",)


class WhoRequest(Request):
    """List the analysers."""

    verb = "who"
    positional = ("request",)


class HelpRequest(Request):
    """List the verbs, for people."""

    verb = "help"
    positional = ("request",)


class AskedQuestion(Message):
    """The next question of an `ask`; the context is the question."""

    verb = "question"
    positional = ("request", "index")
    request: Number
    index: QuestionIndex
    context: Context


class Reply(Message):
    """Anything a master says to a request; `request` is the client's number for it."""

    request: Number


class Answered(Reply):
    """The answer to a question of an `ask`."""

    verb = "answer"
    positional = ("request", "index")
    rest = "text"
    index: QuestionIndex
    text: AnswerText


class Ok(Reply):
    """The one final reply to a request that was carried out."""

    verb = "ok"
    positional = ("request",)
    job: Number | None = None


class Refused(Reply):
    """The one final reply to a request that could not be carried out."""

    verb = "refused"
    positional = ("request",)
    text: LongText
    index: QuestionIndex | None = None  # the question that cannot be answered


class Said(Reply):
    """One line of an answer to `status` or `help`, for people; the rest of the line."""

    verb = "info"
    positional = ("request",)
    rest = "text"
    text: PlainText


class Rejected(Error):
    """A line could not be read: the number of its request is named, if that could be read."""

    request: Number | None = None


class JobShown(Reply):
    """How a job stands."""

    verb = "job"
    positional = ("request", "job")
    job: Number
    state: Word
    stopped_by: str
    error: LongText
    game: Word
    engine: Digest
    digest: Digest
    created: str
    trials: TrialCount | None = None
    stop_se: StopSe | None = None
    stop_settled: StopSettled | None = None
    folded: Number
    held: Number
    trials_per_s: Rate
    eta_s: Rate | None = None
    alternatives: Names
    values: Names
    caught: Caught = ()
    priority: PriorityWord | None = None
    label: Label
    context: Context


class AlternativeShown(Reply):
    """The statistics of the next alternative of the job shown last."""

    verb = "alternative"
    positional = ("request", "trials")
    trials: Number
    means: ValueRow
    std_errors: ValueRow | None = None
    diff_to_best: Value
    diff_std_error: Value | None = None
    quantiles: ValueRow | None = None


class SearchShown(Reply):
    """How the search stands that is the job shown last; values are in the game's unit."""

    verb = "search"
    positional = ("request",)
    phase: LongText = ""
    position: Position = ""
    lower: Bound | None = None
    upper: Bound | None = None
    move: Number | None = None
    exact: bool = False
    nodes: Number
    seconds: Rate
    parts: Number = 0
    shot: Number = 0
    answer: WholeAnswer = ""


class SearcherShown(Reply):
    """One analyser that searches for the job shown last."""

    verb = "searcher"
    positional = ("request",)
    name: LongText
    workers: Number
    parts: Number
    nodes: Number
    nodes_per_s: Rate


class HotSpotShown(Reply):
    """One part that is searched for the job shown last, the oldest first."""

    verb = "hotspot"
    positional = ("request",)
    name: LongText
    depth: Number
    age_s: Rate
    path: Path | None = None


class AnalyserShown(Reply):
    """One analyser of the master."""

    verb = "analyser"
    positional = ("request", "state")
    state: Word
    name: LongText
    address: LongText
    workers: Number
    parts: Number
    trials: Number
    trials_per_s: Rate
    text: LongText
    games: Names | None = None
    powers: Rates | None = None
    round_trip_s: Rate | None = None
    part_job: Number | None = None
    part_first: Number | None = None
    part_count: Number | None = None
    incident_kinds: Names | None = None
    incident_counts: Numbers | None = None
    incidents: Incidents | None = None


class NoticeShown(Reply):
    """A warning or an incident that came up since the last update."""

    verb = "notice"
    positional = ("request", "kind")
    kind: Word
    text: LongText


class Updated(Reply):
    """The end of one update of a job attached to: its lines have all come."""

    verb = "updated"
    positional = ("request",)
    is_final: bool


REQUEST_TYPES: tuple[type[Request], ...] = (
    Submit, Jobs, Show, Attach, Resume, Extend, Halt, Prioritise, Forget, Ask, Cancel,
    StatusRequest, WhoRequest, HelpRequest,
)  # fmt: skip
REPLY_TYPES: tuple[type[Message], ...] = (
    Control, Ok, Refused, JobShown, AlternativeShown, SearchShown, SearcherShown, HotSpotShown,
    AnalyserShown, NoticeShown, Updated, Answered, Said,
)  # fmt: skip
CONTROL_CODEC = Codec(
    (*REQUEST_TYPES, AskedQuestion, *REPLY_TYPES, Ping, Pong, Bye, Rejected), CONTROL_LINE_BYTES_MAX
)
