from master.contract.events import AnalyserReady, EngineOffer
from master.service.living_timeline import LivingTimeline


def test_what_is_told_is_shown_at_the_clocks_time() -> None:
    now = [10.0]
    living = LivingTimeline(lambda: now[0])
    living.log(10.0, [AnalyserReady(1, "attic", 2, (EngineOffer("noop", "e" * 16, 1.0),))], [])
    now[0] = 12.0
    shown = living.shown()
    news, is_anew = shown.since(None)
    assert is_anew
    assert [lane.name for lane in news.lanes] == ["attic"]
    assert living.shown().epoch != shown.epoch
