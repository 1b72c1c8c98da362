from master.web.matches.states import MatchState


def test_states_are_words() -> None:
    assert [*MatchState] == ["running", "done", "failed"]
