"""Chess's services: searches, parts of searches, and looks at positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_ext.front import SEARCH, WHOLE_SEARCH, EngineFront, PartEngine, TextKind

if TYPE_CHECKING:
    from engine_ext.contexts import Description
    from engine_ext.control import RunControl
    from engine_ext.front import ChosenEngine, PowerWork, SearchPart


def _engine_digest() -> str:
    from engine_ext.chess.engine import engine_digest

    return engine_digest()


def _power_work() -> PowerWork:
    from engine_ext.chess.engine import power_work

    return power_work


def _search_part(question: str, control: RunControl, news_depth: int) -> SearchPart:
    from engine_ext.chess.engine import search_part

    return search_part(question, control, news_depth)


def _learn_entries(text: str) -> None:
    from engine_ext.chess.engine import learn_entries

    learn_entries(text)


def _forget_announced() -> None:
    from engine_ext.chess.engine import forget_announced

    forget_announced()


def _describe(context: str) -> Description:
    from engine_ext.chess.whole_search import describe

    return describe(context)


def _answer(question: str, control: RunControl) -> str | None:
    from engine_ext.chess.engine import answer

    return answer(question, control)


def _validate_answer(question: str, answer: str) -> None:
    from engine_ext.chess.probes.answer_validation import validate_answer

    validate_answer(question, answer)


def _use_uci(which: str) -> ChosenEngine:
    from engine_ext.chess.uci_engine.engine import use

    return use(which)


FRONT = EngineFront(
    _engine_digest,
    _power_work,
    parts=PartEngine(_search_part, _learn_entries, _forget_announced),
    others={"uci": _use_uci},
    kinds={
        "chess-look/1": TextKind(
            "looks", answer=_answer, validate_answer=_validate_answer, work_keys=("nodes", "depth")
        ),
        "chess-search/1": TextKind(SEARCH),
        "chess/1": TextKind(WHOLE_SEARCH, describe=_describe),
    },
)
