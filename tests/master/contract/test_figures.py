from master.contract.views import ANALYSER_STATES, AnalyserLine, Figures


def test_states_are_those_that_a_display_shows() -> None:
    assert AnalyserLine.__doc__ is not None
    for state in ANALYSER_STATES:
        assert f'"{state}"' in AnalyserLine.__doc__


def test_new_master_has_done_nothing() -> None:
    assert Figures() == Figures(0, 0, {}, {}, 0, 0, 0)
