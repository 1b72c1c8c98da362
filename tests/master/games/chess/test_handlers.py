"""Chess on the web page, its front, and files of games that are analysed there."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from starlette.types import ASGIApp

from engine_ext import services
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.whole_search import WholeSearch
from engine_ext.control import RunControl
from master.api.positions import game_shown
from master.cli.app import manyply
from master.contract.errors import MasterError
from master.contract.views import AnalyserLine, OfferedEngine
from master.games.chess import handlers
from master.games.chess.analysis.report import own_name
from master.games.chess.handlers import (
    HANDLERS,
    MATCHES,
    NODES,
    plan_match,
    position_text,
    shown_position,
)
from master.games.chess.typed import read_shown, read_typed_fen
from master.games.errors import AskedError, RecordError
from master.games.handlers import Kind
from tests.master.api.asgi import BEARER, JSON, Answer, application, asked
from tests.master.games.chess.analysis.games import LEGAL, SCHOLAR
from tests.master.games.chess.board_reader import read_board

MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
MATING = "7k/8/6K1/8/8/8/8/R7 w - - 0 1"
CHESS960 = "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1"


def test_men_stand_where_the_fen_has_them() -> None:
    board = shown_position(read_typed_fen(START))["board"]
    assert isinstance(board, dict)
    assert board["ranks"][0] == "8"
    assert board["rows"][0][0] == ["♜", "black"]
    assert board["rows"][7][4] == ["♚", "white"]
    assert board["rows"][4] == [None] * 8


def test_castling_of_chess960_is_kept_in_the_text() -> None:
    board = read_typed_fen(CHESS960)
    assert read_typed_fen(position_text(board)) == board


def test_check_is_said_and_mate_is_not_searched() -> None:
    assert HANDLERS.positions is not None
    search, lines = HANDLERS.positions.actions
    mated, start = read_typed_fen(MATED), read_typed_fen(START)
    assert "in check" in str(shown_position(mated)["title"])
    assert "no legal move" in search.refusal(mated)
    assert "no legal move" in lines.refusal(mated)
    assert search.job is not None
    request = search.job(start, search.settings({"depth": 8}, start))
    assert WholeSearch.from_text(request.context).question.depth == 8


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NODES, "quick", 2_000)


def test_report_is_that_of_the_command(tmp_path: Path) -> None:
    path, page = tmp_path / "a.pgn", tmp_path / "a.html"
    path.write_text(SCHOLAR)
    words = ["analyse", "chess", str(path), "--nodes", "2000", "--local", "1", "--html", str(page)]
    result = CliRunner().invoke(manyply, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    plan = plan_match(SCHOLAR.encode(), "a.pgn", "quick")
    report = plan.report([services.answer(text, RunControl()) or "" for text in plan.questions])
    assert report.page == page.read_text()
    assert report.page.count(f"<script>{plan.script}</script>") == 1
    assert report.summary.startswith("accuracy ")


def test_games_are_called_by_their_players_or_counted() -> None:
    assert plan_match(SCHOLAR.encode(), "a.pgn", "deep").title == "Ann - Bob"
    assert plan_match(f"{SCHOLAR}\n{LEGAL}".encode(), "a.pgn", MATCHES.level).title == "2 games"


@pytest.mark.parametrize("content", [b"", b"nonsense", bytes(range(256)), b'[White "A"]\n\n*\n'])
def test_what_has_no_moves_is_one_line_that_names_the_file(content: bytes) -> None:
    with pytest.raises(RecordError, match=r"^a\.pgn") as caught:
        plan_match(content, "a.pgn", "quick")
    assert len(str(caught.value).splitlines()) == 1


def test_what_is_too_much_or_no_level_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handlers, "DECISIONS_MAX", 3)
    with pytest.raises(RecordError, match="more than 3 positions: `manyply analyse chess` takes"):
        plan_match(SCHOLAR.encode(), "a.pgn", "quick")
    with pytest.raises(AskedError, match="level: expected one of quick, normal, deep"):
        plan_match(SCHOLAR.encode(), "a.pgn", "deeper")


def test_answer_that_is_none_is_said() -> None:
    plan = plan_match(SCHOLAR.encode(), "a.pgn", "quick")
    with pytest.raises(MasterError, match="makes no sense"):
        plan.report(["nonsense"] * len(plan.questions))


FISH = "Fish 15, Hash 4"
"""A name for our own engine in tests, so that its answers are known."""


def fish_application() -> ASGIApp:
    """Return the interface of a master whose one analyser has an engine of that name."""
    master, app = application()
    offered = OfferedEngine("chess", services.engine_digest("chess"), FISH)
    master.lines = (AnalyserLine("attic", "attic:4321", "ready", workers=2, engines=(offered,)),)
    return app


async def asked_lines(app: ASGIApp, **settings: object) -> Answer:
    body = {"game": "chess", "position": MATING, "action": "lines", "settings": settings}
    path = "/api/positions/ask"
    return await asked(app, "POST", path, BEARER | JSON, json.dumps(body).encode())


@pytest.mark.parametrize("engine", ["fish", FISH, None])
async def test_lines_of_an_engine_are_those_of_the_search_command(engine: str | None) -> None:
    settings = {"lines": 2, "nodes": 10_000} | ({"engine": engine} if engine else {})
    answer = await asked_lines(fish_application(), **settings)
    assert answer.status == 200, answer.json
    report = answer.json["report"]
    assert report["engine"] == services.engine_digest("chess")
    assert report["engine_name"] == (FISH if engine else own_name())
    assert report["lines"][0]["mate"] == 1
    assert len(report["lines"]) == 2
    digest = report["engine"]
    words = ["search", "chess", MATING, "--engine", digest, "--nodes", "10000", "--lines", "2"]
    printed = json.loads(CliRunner().invoke(manyply, [*words, "--local", "1", "--json"]).stdout)
    assert report["lines"] == printed["lines"]


async def test_an_engine_that_no_analyser_has_is_refused_with_those_that_there_are() -> None:
    app = fish_application()
    for answer in (await asked_lines(app, engine="dragon"), await handed_in(app, engine="dragon")):
        assert (answer.status, answer.json["code"]) == (422, "unknown-engine")
        assert "chess engine 'dragon': there are Fish 15, Hash 4 (" in answer.json["text"]


async def handed_in(app: ASGIApp, **changes: object) -> Answer:
    content = b64encode(SCHOLAR.encode()).decode()
    body = {"game": "chess", "name": "a.pgn", "content": content, "level": "quick"} | changes
    return await asked(app, "POST", "/api/matches", BEARER | JSON, json.dumps(body).encode())


async def test_a_match_is_analysed_by_the_engine_that_was_chosen() -> None:
    app = fish_application()
    begun = await handed_in(app, engine="fish")
    assert (begun.status, begun.json["engine"]) == (200, FISH)
    shown = begun.json
    while shown["state"] == "running":
        shown = (await asked(app, "GET", "/api/matches/1")).json
    assert (shown["state"], shown["engine"]) == ("done", FISH)
    report = await asked(app, "GET", "/api/matches/1/report.html")
    assert f"positions a move, {FISH}" in report.body.decode()
    own = await handed_in(app)
    assert own.json["engine"] is None


def test_matches_and_lines_say_that_an_engine_may_be_chosen() -> None:
    shown = game_shown("chess", HANDLERS)
    assert shown.matches is not None
    assert shown.matches.has_engines
    assert shown.positions is not None
    sorts = [field.sort for action in shown.positions.actions for field in action.fields]
    assert sorts.count(Kind.ENGINE) == 1


FEN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["show", *args])


def test_position_is_reported_and_drawn(tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    result = ran(f"chess:{FEN}", "--svg", str(path))
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(FEN + "\n")
    assert read_board(path.read_text()).signs == read_fen(FEN).signs


def test_object_has_the_moves() -> None:
    found = json.loads(ran("chess:", "--json").stdout)
    assert found["fen"] == START
    assert len(found["moves"]) == 20


def test_counts_may_be_left_out() -> None:
    assert read_shown(f"chess:{FEN[:-4]}").signs == read_fen(FEN).signs


@pytest.mark.parametrize(
    ("text", "words"),
    [("chess:nonsense", "a FEN is: pieces"), ("chess:8/8/8/8/8/8/8/8 w - - 0 1", "king")],
)
def test_what_is_no_position_is_said(text: str, words: str) -> None:
    result = ran(text)
    assert result.exit_code == 2
    assert words in result.stderr
