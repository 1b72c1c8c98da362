"""Sessions: the state that both sides keep across a broken connection.

Both sides count the results of a session from 1. The analyser keeps each result until it is
acknowledged. The master keeps the number of results received and the outstanding parts. The
connection calls these objects, and the daemons own them. No clock and no I/O here.
"""

from collections import deque
from itertools import islice

from protocol.codec import ANALYSER_CODEC
from protocol.codes import LocalProtocolError, ProtocolError, ReplyCode
from protocol.messages import (
    UNACKED_MAX,
    Answer,
    Done,
    Fail,
    PartRequest,
    PartResult,
    Search,
    Stopped,
    Trial,
    Trials,
    context_digest,
)
from protocol.plain import OUT_BYTES_MAX

OUTSTANDING_MAX = 4_096
"""Parts of one analyser without a final result: a credit window of 64 for each of 64 workers. With
contexts of 8,192 characters, all different, they fill 32 MiB."""

UNACKED_BYTES_MAX = OUT_BYTES_MAX * 3 // 4
"""Bytes of lines kept without an ack before the analyser begins no more work: 65,536 lines of 190
bytes, or 500 of the longest answers. This is three quarters of OUT_BYTES_MAX. The rest is room for
results already begun, so a master that reads late is not dropped for it."""


class AnalyserSession:
    """The analyser's memory: results, sent or not, until they are acknowledged.

    Results ``first_unacked .. result_count`` are kept, as encoded lines. The analyser must stop
    computing while `is_full`, and begin nothing more while `is_heavy`.
    """

    def __init__(self, name: str = "", unacked_max: int = UNACKED_MAX) -> None:
        self.name = name
        self.unacked_max = unacked_max
        self.first_unacked = 1
        self._lines: deque[bytes] = deque()
        self._bytes = 0  # of these lines
        self._parts: set[tuple[int, int]] = set()

    @property
    def outstanding(self) -> frozenset[tuple[int, int]]:
        """(part, attempt) of each part without a final result."""
        return frozenset(self._parts)

    def open(self, request: PartRequest) -> None:
        """Note a part as taken.

        Raises:
            ProtocolError: it is outstanding already, or too many are.
        """
        key = (request.part, request.attempt)
        if key in self._parts:
            raise ProtocolError(ReplyCode.WRONG_ORDER, "that part is outstanding already")
        if len(self._parts) >= OUTSTANDING_MAX:
            raise ProtocolError(ReplyCode.TOO_MANY_PARTS, f"at most {OUTSTANDING_MAX}")
        self._parts.add(key)

    @property
    def result_count(self) -> int:
        """Results of the session so far, acknowledged or not."""
        return self.first_unacked - 1 + len(self._lines)

    @property
    def is_full(self) -> bool:
        """No further result can be kept until an `ack` arrives."""
        return len(self._lines) >= self.unacked_max

    @property
    def is_heavy(self) -> bool:
        """The kept results are so long that no further one should be begun until an `ack`."""
        return self._bytes >= UNACKED_BYTES_MAX

    def keep(self, result: PartResult) -> bytes:
        """Count a result and keep it, also while there is no connection; return its line.

        Raises:
            LocalProtocolError: the session is full.
        """
        if len(self._lines) >= self.unacked_max:
            raise LocalProtocolError("more results than may be kept without an ack")
        line = ANALYSER_CODEC.encode(result)
        self._lines.append(line)
        self._bytes += len(line)
        if type(result) not in (Trial, Answer):
            self._parts.discard((result.part, result.attempt))
        return line

    def ack(self, count: int) -> None:
        """Drop the first `count` results; a count seen before changes nothing.

        Raises:
            ProtocolError: `bad-ack`, more than there are.
        """
        if count > self.result_count:
            raise ProtocolError(ReplyCode.BAD_ACK, f"only {self.result_count} results were sent")
        while self.first_unacked <= count:
            self._bytes -= len(self._lines.popleft())
            self.first_unacked += 1

    def check_resume(self, received: int) -> None:
        """Make sure that results can be sent again from `received` + 1 on.

        Raises:
            ProtocolError: `bad-resume`, those results are gone or were never sent.
        """
        if not self.first_unacked - 1 <= received <= self.result_count:
            kept = f"{self.first_unacked} to {self.result_count}"
            raise ProtocolError(ReplyCode.BAD_RESUME, f"results {kept} are kept")

    def lines_from(self, ordinal: int, bytes_max: int) -> list[bytes]:
        """Lines of results `ordinal` and following: as many as fit, but one at least."""
        lines: list[bytes] = []
        size = 0
        for line in islice(self._lines, ordinal - self.first_unacked, None):
            if lines and size + len(line) > bytes_max:
                break
            lines.append(line)
            size += len(line)
        return lines

    def restart(self, name: str) -> None:
        """Forget everything: a new session of that name begins."""
        self.name = name
        self.first_unacked = 1
        self._lines.clear()
        self._bytes = 0
        self._parts.clear()


class _Outstanding:
    """One outstanding part, and the result that must come next for it."""

    __slots__ = ("digest", "end_seq", "first_seq", "is_question", "is_search", "next_seq")

    def __init__(self, request: PartRequest) -> None:
        """Set the half-open range of its results: trial numbers; of a question 0 to 1."""
        if isinstance(request, Trials):
            first, end = request.first_seq, request.first_seq + request.count
            self.is_question = self.is_search = False
        else:
            first, end = 0, 1
            self.is_question, self.is_search = True, isinstance(request, Search)
        self.first_seq = self.next_seq = first
        self.end_seq = end
        self.digest = context_digest(request.context)


class MasterSession:
    """The master's memory of one analyser: results received, and parts outstanding."""

    def __init__(self, name: str = "", received: int = 0) -> None:
        self.name = name
        self.received = received
        self.acked = received
        self._parts: dict[tuple[int, int], _Outstanding] = {}

    @property
    def outstanding(self) -> list[tuple[int, int]]:
        """(part, attempt) of each part without a final result, oldest first."""
        return list(self._parts)

    def open(self, request: PartRequest) -> None:
        """Note a part as dispatched.

        Raises:
            LocalProtocolError: it is outstanding already, or too many are.
        """
        key = (request.part, request.attempt)
        if key in self._parts:
            raise LocalProtocolError(f"part {key} is outstanding already")
        if len(self._parts) >= OUTSTANDING_MAX:
            raise LocalProtocolError("too many parts outstanding")
        self._parts[key] = _Outstanding(request)

    def ack(self, count: int) -> None:
        """Note that the first `count` results are stored.

        Raises:
            LocalProtocolError: more than were received, or fewer than acknowledged before.
        """
        if not self.acked <= count <= self.received:
            raise LocalProtocolError(f"ack {count}: {self.acked} to {self.received} expected")
        self.acked = count

    def count(self, result: PartResult) -> bool:
        """Count a result and check it against its part.

        Returns:
            Whether its part is outstanding.

        Raises:
            ProtocolError: `bad-result`, the result does not fit its part.
        """

        self.received += 1
        key = (result.part, result.attempt)
        part = self._parts.get(key)
        if part is None:
            return False
        # `isinstance` with a pydantic class that does not match runs Python code, which is slow.
        if type(result) is Trial:
            _receive_next(result, result.seq, part, is_due=not part.is_question)
        elif type(result) is Answer:
            _receive_next(result, 0, part, is_due=part.is_question)
        else:
            _check_final(result, part)
            del self._parts[key]
        return True


def _receive_next(result: Trial | Answer, seq: int, part: _Outstanding, *, is_due: bool) -> None:
    if not is_due:
        raise _misfit(f"{result.verb}: something else was asked for")
    if seq != part.next_seq or seq >= part.end_seq:
        raise _misfit(f"{result.verb} {seq}: {part.next_seq} was due")
    part.next_seq = seq + 1


def _check_final(result: Done | Stopped | Fail, part: _Outstanding) -> None:
    if part.is_question and part.next_seq == part.end_seq:
        _check_behind_answer(result, part)
    if type(result) is Fail:
        return
    if result.context_digest != part.digest:
        raise _misfit("the context digest is another")
    if result.count != part.next_seq - part.first_seq:
        raise _misfit(f"{result.count} results named, {part.next_seq - part.first_seq} came")
    if isinstance(result, Done) and part.next_seq != part.end_seq:
        raise _misfit("done before the last result")


def _check_behind_answer(result: Done | Stopped | Fail, part: _Outstanding) -> None:
    # A stopped search may have an answer as well: the bounds proved so far.
    is_due = isinstance(result, Done) or (part.is_search and isinstance(result, Stopped))
    if not is_due:
        raise _misfit(f"{result.verb} behind an answer: done was due")


def _misfit(text: str) -> ProtocolError:
    return ProtocolError(ReplyCode.BAD_RESULT, text)
