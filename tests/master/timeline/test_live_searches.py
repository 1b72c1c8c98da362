"""Running searches, by what is sent and received."""

from master.contract.events import AnswerArrived, Outcome, PartEnded
from master.search.running.actions import Send
from master.search.running.numbering import to_wire
from master.timeline.live_searches import LiveSearches
from master.timeline.spans import Ending, Kind
from master.timeline.timeline import Timeline
from protocol.messages import Ping, Search, Stop
from tests.master.timeline.streams import all_rows

PART = to_wire(2, 5)


def begun() -> tuple[Timeline, LiveSearches]:
    timeline = Timeline()
    timeline.advance(10.0)
    timeline.come(7, "attic", 1)
    searches = LiveSearches(timeline)
    searches.begin(2, "chess")
    message = Search(part=PART, attempt=1, context="x", urgent=True)
    searches.send(2, Send(7, message), 11.0)
    return timeline, searches


def test_a_part_is_sent_and_answered() -> None:
    timeline, searches = begun()
    answer = AnswerArrived(7, PART, 1, "answer")
    searches.receive([answer, PartEnded(7, PART, 1, Outcome.DONE)], 12.0)
    (row,) = all_rows(timeline)
    assert (row.kind, row.job, row.part) == (Kind.SEARCH, 2, PART)
    assert (row.begin, row.end, row.ending) == (1_000_000, 2_000_000, Ending.DONE)
    assert timeline.news().names == {(Kind.SEARCH, 2): "chess"}


def test_a_hot_spot_is_shot_down() -> None:
    timeline, searches = begun()
    searches.send(2, Send(7, Stop(part=PART, attempt=1), is_shot=True), 11.5)
    searches.receive([PartEnded(7, PART, 1, Outcome.STOPPED)], 12.0)
    (row,) = all_rows(timeline)
    assert (row.stop, row.ending) == (1_500_000, Ending.SHOT)


def test_other_messages_are_nothing() -> None:
    timeline, searches = begun()
    searches.send(2, Send(7, Ping(token="1")), 12.0)
    assert timeline.open_count == 1
