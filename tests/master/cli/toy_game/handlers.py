"""What Nim offers to a page: heaps that are asked about and searched."""

from master.contract.questions import AskQuestions
from master.contract.views import JobRequest
from master.games.handlers import Action, Handlers, PositionHandlers, Settings
from master.reports.report import Report
from tests.engine_ext.search import nim
from tests.master.cli.toy_game.engine import ENGINE
from tests.master.cli.toy_game.front import heaps_text, read_heaps


async def worth(ask: AskQuestions, heaps: nim.Heaps, settings: Settings) -> Report:
    (answer,) = await ask([f"nim-value/1 {heaps_text(heaps)}"])
    return {"value": answer.removeprefix("value=")}


def why_over(heaps: nim.Heaps) -> str:
    return "" if any(heaps) else "the game is over"


def begin(heaps: nim.Heaps, settings: Settings) -> JobRequest:
    return JobRequest(f"nim-whole/1 engine={ENGINE} {heaps_text(heaps)}")


HANDLERS = Handlers(
    PositionHandlers(
        start="heaps=3,2,2",
        expected="heaps such as heaps=3,2,2",
        read=read_heaps,
        text=heaps_text,
        show=lambda heaps: {
            "board": {"kind": "heaps", "heaps": list(heaps)},
            "ids": [],
            "title": "Nim",
            "words": "\n".join("|" * heap for heap in heaps),
        },
        actions=(
            Action("worth", "Worth", ask=worth),
            Action("search", "Search", job=begin, refusal=why_over),
        ),
    )
)
