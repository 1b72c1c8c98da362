import pytest

from master.games.backgammon.external.best_action import Level
from master.games.backgammon.external.ubgi import Reaction, Session, carry_out, receive

START = "position gnubgid 4HPwATDgc/ABMA"
DANCE = f"position xgid XGID={'-' * 19}bbbbbbA:0:0:1:66:0:0:0:7:10"
WON = "position xgid XGID=-BBB----------------ccccc-:0:0:1:{}:0:0:0:7:10"
LOST = "-CCCCC----------------bbb-:0:0:1:D:0:0:3:0:10"


def answered(*lines: str) -> str:
    reaction = Reaction(Session(Level()))
    for line in lines:
        reaction = receive(reaction.session, line)
    assert reaction.wish is not None
    return carry_out(reaction.wish)


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        ((START, "dice 3 1", "go role chequer"), "bestmove 8/5 6/5"),
        ((START, "dice 6 5", "go"), "bestmove 24/18 18/13"),
        ((START, "go role cube"), "bestcube nodouble"),
        ((START, "dice 3 1", "go role turn"), "bestturn cube=nodouble move=8/5 6/5"),
        ((DANCE, "go"), "bestmove pass"),
        ((DANCE, "go role turn"), "bestturn cube=double move=pass"),
        ((WON.format("00"), "go role cube"), "bestcube double"),
        ((DANCE.removeprefix("position xgid "),), ""),
        ((WON.format("D").removeprefix("position xgid "),), "drop"),
        ((LOST,), "take"),  # not a beaver
    ],
)
def test_answers_have_the_form_that_was_asked_for(lines: tuple[str, ...], answer: str) -> None:
    assert answered(*lines) == answer


def test_bar_and_off_are_written_in_words() -> None:
    assert answered("position gnubgid Np7BQSCYZ/AAWA", "dice 5 3", "go").split("/")[0] == (
        "bestmove bar"
    )
    assert "/off" in answered("position gnubgid /z0AADDeaxsAAA", "dice 5 5", "go")


def test_cubeless_mode_values_moves_of_the_game_without_the_cube() -> None:
    lines = ("setoption name EvalMode value cubeless", START, "dice 3 1", "go")
    assert answered(*lines) == "bestmove 8/5 6/5"
