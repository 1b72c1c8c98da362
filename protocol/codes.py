"""The one table of reply codes, and the two exceptions.

The table has every code this project sends, its meaning, and whether it ends the connection. Codes
are an open set on the wire: a code from a newer peer is accepted, and closes nothing by itself.
SPEC.md has the same table; a test compares the two.
"""

from dataclasses import dataclass
from enum import StrEnum


class ReplyCode(StrEnum):
    """Codes of `error` and `fail` lines."""

    # Lines that could not be read. The line is dropped, the connection goes on (within a budget).
    EMPTY_LINE = "empty-line"
    LINE_TOO_LONG = "line-too-long"
    BAD_CHARACTER = "bad-character"
    UNKNOWN_VERB = "unknown-verb"
    BAD_ARGUMENTS = "bad-arguments"
    BAD_FIELD = "bad-field"
    # Broken rules and missed deadlines. The connection ends.
    TOO_MANY_ERRORS = "too-many-errors"
    NOT_MANYPLY = "not-manyply"
    WRONG_VERSION = "wrong-version"
    NOT_ALLOWED = "not-allowed"
    NO_SECRET = "no-secret"  # a code
    BAD_SECRET = "bad-secret"
    WRONG_ORDER = "wrong-order"
    BAD_RESULT = "bad-result"
    BAD_VALUE = "bad-value"
    BAD_ACK = "bad-ack"
    BAD_RESUME = "bad-resume"
    HANDSHAKE_TIMEOUT = "handshake-timeout"
    PEER_SILENT = "peer-silent"
    SLOW_READER = "slow-reader"
    TOO_MANY_PARTS = "too-many-parts"
    # Why one part failed (`fail`). The connection goes on.
    BAD_CONTEXT = "bad-context"
    UNKNOWN_GAME = "unknown-game"
    ENGINE_MISMATCH = "engine-mismatch"
    ENGINE_ERROR = "engine-error"
    DRAINING = "draining"


@dataclass(frozen=True, slots=True)
class CodeMeaning:
    """One row of the table: the code's meaning, and whether the connection ends with it."""

    meaning: str
    is_closing: bool


CODES: dict[str, CodeMeaning] = {
    code: CodeMeaning(meaning, is_closing)
    for code, meaning, is_closing in (
        (ReplyCode.EMPTY_LINE, "the line is empty", False),
        (ReplyCode.LINE_TOO_LONG, "the line passes the stated limit", False),
        (ReplyCode.BAD_CHARACTER, "the line holds a byte outside 0x20 to 0x7E", False),
        (ReplyCode.UNKNOWN_VERB, "the verb is not known here", False),
        (ReplyCode.BAD_ARGUMENTS, "a field is missing, given twice, or one too many", False),
        (ReplyCode.BAD_FIELD, "a field is malformed or out of its range", False),
        (ReplyCode.TOO_MANY_ERRORS, "the budget of unreadable lines is spent", True),
        (ReplyCode.NOT_MANYPLY, "the greeting is not that of an analyser", True),
        (ReplyCode.WRONG_VERSION, "the first number of the version differs", True),
        (ReplyCode.NOT_ALLOWED, "nobody is let in from this address", True),
        (ReplyCode.NO_SECRET, "one side asks for a secret, and the other has none", True),
        (ReplyCode.BAD_SECRET, "the peer has not proved that it knows the secret", True),
        (ReplyCode.WRONG_ORDER, "the message is not allowed now", True),
        (ReplyCode.BAD_RESULT, "a result does not fit its part, or cannot be read", True),
        (
            ReplyCode.BAD_VALUE,
            "a trial value is not a multiple of 2**-32 below 2**20, or out of its range; an answer "
            "that its question cannot have",
            True,
        ),
        (ReplyCode.BAD_ACK, "more results acknowledged than were sent", True),
        (ReplyCode.BAD_RESUME, "the session cannot go on from there", True),
        (ReplyCode.HANDSHAKE_TIMEOUT, "the handshake took too long", True),
        (ReplyCode.PEER_SILENT, "nothing was heard, not even an answer to ping", True),
        (ReplyCode.SLOW_READER, "the peer does not read what is sent to it", True),
        (ReplyCode.TOO_MANY_PARTS, "more parts outstanding than the stated limit", True),
        (ReplyCode.BAD_CONTEXT, "the context cannot be read", False),
        (ReplyCode.UNKNOWN_GAME, "this analyser does not know the context's game", False),
        (ReplyCode.ENGINE_MISMATCH, "the context names another engine digest", False),
        (ReplyCode.ENGINE_ERROR, "the engine failed while computing", False),
        (ReplyCode.DRAINING, "no new part is taken: the analyser is draining", False),
    )
}


class ProtocolError(Exception):
    """Their mistake: the peer has broken the protocol."""

    def __init__(self, code: ReplyCode, text: str) -> None:
        super().__init__(f"{code.value}: {text}")
        self.code = code
        self.text = text


class LocalProtocolError(Exception):
    """Our mistake: the caller asked for something the protocol does not allow now."""
