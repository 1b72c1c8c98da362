"""A timeline of the web endpoint's tests: a small fleet of which something became of every part."""

from master.timeline.showing import ShownTimeline
from master.timeline.spans import Ending, Kind
from master.timeline.timeline import Part, Timeline


def made_up(parts: int = 6) -> ShownTimeline:
    """Return an analyser of two workers and one that has gone, in their tenth second."""
    timeline = Timeline()
    timeline.advance(100.0)
    timeline.name(Kind.TRIALS, 1, "noop")
    timeline.come(1, "attic", 2)
    timeline.come(2, "barn", 1)
    for number in range(1, parts + 1):
        timeline.hand_out(1 + number % 2, Part(Kind.TRIALS, 1, number, 1, 10 * number, 10))
        timeline.advance(100.0 + number)
        if number % 3 == 0:
            timeline.end(number, 1, Ending.DONE)
    timeline.go(2)
    timeline.advance(110.0)
    return ShownTimeline(timeline, "ab", lambda: 110.0, 1_700_000_000.0)
