"""`manyply-analyser` whose answers are broken; run as a program: HOW, then its options.

HOW is a way of tests.engine_ext.broken_answers, or `illegal`, `shifted`: a move that is none, and
numbers beyond what can be.
"""

import re
import sys

from analyser.command import main
from engine_ext import services
from engine_ext.control import RunControl
from tests.engine_ext.broken_answers import broken

ILLEGAL = (
    (r"(checker=[^;]*;)[^,]*", r"\g<1>24/1"),
    (r"^(backgammon-move-values/1 )[0-9]+", r"\g<1>3059"),
    (r"best=[a-h][1-8]", "best=d4"),
    (r"(lines=[^:]*:)[a-h][1-8][a-h][1-8]", r"\g<1>a1a1"),
)
SHIFTED = (
    (r"(checker=[^;]*;[^,]*,[^,]*),[^,]*", r"\g<1>,5.2"),
    (r"(cube=[^,]*,[^,]*),[^,]*", r"\g<1>,5.2"),
    (r"^(backgammon-move-values/1 [0-9]+):[^:]*", r"\g<1>:5.2"),
    (r"best_value=-?[0-9]+", "best_value=9000"),
    (r"lines=-?[0-9]+", "lines=#900"),
    (r"^[0-9. ]+$", "9000"),
)
RULES = {"illegal": ILLEGAL, "shifted": SHIFTED}


def lied(answer: str, how: str) -> str:
    """Return an answer broken in a way."""
    if how not in RULES:
        return broken(answer, first_number=answer.startswith("backgammon-move-values"))[how]
    if how == "shifted" and re.fullmatch(r"[0-9. ]+", answer):
        return " ".join(["9000"] * len(answer.split(" ")))  # of boards of Threes!
    for pattern, instead in RULES[how]:
        answer = re.sub(pattern, instead, answer, count=1)
    return answer


def lie(how: str) -> None:
    """Have every answer of this process broken."""
    honest = services.answer

    def answer(question: str, control: RunControl) -> str | None:
        found = honest(question, control)
        return None if found is None else lied(found, how)

    services.answer = answer


if __name__ == "__main__":
    lie(sys.argv.pop(1))
    main()
