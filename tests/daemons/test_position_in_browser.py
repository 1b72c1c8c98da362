"""Positions and matches on the page, in a real browser, of a real master with a local analyser."""

import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from engine_ext.backgammon.context import RolloutContext
from engine_ext.backgammon.ids import to_xgid
from engine_ext.backgammon.move_text import split_move
from engine_ext.backgammon.play import rank_moves
from engine_ext.chess.fen import read_fen
from engine_ext.othello.board import OthelloBoard
from master.api.rules import read_token
from master.api.server import MasterServer
from master.cli.master_access import open_master
from master.cli.place import Place
from master.games.backgammon.matches.mat_write import write_mat
from master.games.backgammon.position_view import shown_state
from master.games.backgammon.typed import read_id
from master.games.chess.handlers import shown_position
from master.games.othello.handlers import shown_board
from master.service.service import MasterService
from protocol.access.rules import NOBODY_ELSE
from protocol.address import Address
from protocol.guards.access_control import AccessControl
from tests.daemons.page_pictures import pictures
from tests.daemons.test_page_in_browser import text_of
from tests.master.api.browser import Browser, browsing
from tests.master.games.backgammon.handler_states import state_of
from tests.master.games.backgammon.matches.random_matches import random_match
from tests.master.reports.browser import needs_chromium

pytestmark = [
    needs_chromium,
    pytest.mark.sockets,
    pytest.mark.slow,
    pytest.mark.asyncio(loop_scope="module"),
]

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"
START = OPENING.replace(":31:", ":00:")
FFO40 = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"
EVIL = "<img src=x onerror=document.title='evil'>"
REFUSED = "the server responded with a status of 422"
"""What Chromium says of every answer that is a refusal, which the page shows."""


class Page:
    """A window on the page of a master."""

    def __init__(self, browser: Browser, master: MasterService, url: str, fragment: str) -> None:
        self.browser = browser
        self.master = master
        self.url = url
        self.fragment = fragment

    async def open(self, view: str) -> None:
        """Open the page with its token, and go to a view."""
        await self.browser.resemble(1300, "light")
        await self.browser.open("about:blank")
        await self.browser.open(f"{self.url}{self.fragment}")
        await self.browser.until(f"{text_of('#connection')} === 'Live'")
        await self.go(view)

    async def go(self, view: str) -> None:
        await self.browser.find(f"void (location.hash = {view!r})")

    async def press(self, label: str) -> None:
        """Click the button of a label."""
        found = (
            "[...document.querySelectorAll('#view button')]"
            f".find((each) => each.innerText === {label!r} && !each.disabled)"
        )
        await self.browser.until(found)
        await self.browser.find(f"{found}.click()")

    async def type(self, text: str) -> None:
        """Type a position and read it."""
        await self.browser.until(f"{text_of('.ids')}.length > 9")
        await self.browser.find(f"document.querySelector('.typed input').value = {text!r}")
        await self.press("Read")

    async def shows(self, position: str) -> None:
        """Wait until a position is shown, any if it is empty."""
        await self.browser.until(
            f"{text_of('.ids')}.length > 9 && {text_of('.ids')}.includes({position!r})"
            " && !document.querySelector('.ids.is-stale')"
        )

    async def complains(self, text: str) -> None:
        await self.browser.until(f"{text_of('.complaint:not([hidden])')}.includes({text!r})")

    async def point(self, place: int, event: str) -> None:
        """Have an event happen to a place of the board."""
        found = f"document.querySelector('[data-place=\"{place}\"]')"
        await self.browser.find(f"void {found}.dispatchEvent({event})")

    async def set(self, label: str, value: str) -> None:
        """Change a field of a label."""
        named = f"each.innerText.startsWith({json.dumps(label)})"
        await self.browser.find(
            f"((field) => {{ field.value = {json.dumps(value)};"
            " field.dispatchEvent(new Event('change')); })"
            f"([...document.querySelectorAll('#view .field')].find((each) => {named})"
            ".querySelector('input, select'))"
        )

    async def table(self) -> list[list[str]]:
        """Return the cells of the first table of an answer."""
        rows = "[...document.querySelector('.answers').tBodies[0].rows]"
        cells = f"{rows}.map((row) => [...row.cells].map((cell) => cell.innerText))"
        found: list[list[str]] = await self.browser.find(cells)
        return found


@asynccontextmanager
async def paged(folder: Path) -> AsyncIterator[Page]:
    """Open a window on the page of a master that has one local worker."""
    place, games = Place(local=1), ("backgammon", "othello")
    async with open_master(place, games=games) as master, browsing() as browser:
        assert isinstance(master, MasterService)
        server = MasterServer(master, AccessControl(NOBODY_ELSE), "attic", folder)
        port = await server.open_page(Address("127.0.0.1", 0))
        url = f"http://127.0.0.1:{port}/"
        try:
            yield Page(browser, master, url, read_token(folder).fragment)
        finally:
            await server.aclose()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Page]:
    """One master and one browser for all tests of this file."""
    folder = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        async with paged(folder) as page:
            yield page


@pytest_asyncio.fixture(loop_scope="module")
async def page(shared: Page) -> AsyncIterator[Page]:
    """The window; the page complains of nothing, and asks nobody else."""
    yield shared
    assert [each for each in shared.browser.complaints if REFUSED not in each] == []
    own = (shared.url, "about:blank")
    assert [url for url in shared.browser.asked if not url.startswith(own)] == []


@pytest.mark.when_changed
async def test_position_is_pasted_asked_about_and_its_move_shown(page: Page) -> None:
    await page.open("#/position")
    await page.shows(START)
    await page.type("4HPwATDgc/ABMA:cIkFAAAAAAAA")
    await page.shows(OPENING)
    await page.press("Moves")
    await page.browser.until("document.querySelectorAll('.answers tbody tr').length === 16")
    rows = await page.table()
    best, second, *_ = rank_moves(read_id(OPENING), (3, 1), 2)
    assert rows[0][1:5] == ["1", best.text, f"{best.equity_cubeful:+.4f}", ""]
    assert rows[1][1:3] == ["2", second.text]
    await page.press("8/5 6/5")
    assert await page.browser.find("document.querySelectorAll('.arrow').length") == 2
    await pictures(page.browser, "moves")
    for label, heading in (("Evaluate", "Evaluation, 2-ply"), ("Cube", "Proper cube action: no")):
        await page.press(label)
        await page.browser.until(f"{text_of('.answer h3')}.startsWith({heading!r})")


NARROW_PX = 390


async def top_of(page: Page, selector: str) -> float:
    """Return how far an element is below the top of the window."""
    element = f"document.querySelector({selector!r})"
    top: float = await page.browser.find(f"{element}.getBoundingClientRect().top")
    return top


async def test_errors_and_answers_appear_below_the_pressed_button(page: Page) -> None:
    await page.open("#/position")
    await page.shows(START)
    await page.press("Moves")
    await page.complains("no roll: choose one")
    fields = "document.querySelectorAll('.desk-actions fieldset')"
    assert "no roll" in await page.browser.find(f"{fields}[0].innerText")
    await page.set("Roll", "3-1")
    await page.press("Moves")  # at once: the board is read first
    await page.browser.until("document.querySelectorAll('.answers tbody tr').length === 16")
    await page.shows(OPENING)
    assert await page.browser.find(f"{fields}[0].contains(document.querySelector('.answers'))")
    await page.browser.resemble(NARROW_PX, "light")
    await page.press("Moves")
    await page.browser.until("document.querySelectorAll('.answers tbody tr').length === 16")
    assert 0 <= await top_of(page, ".answer h3") < 450
    await page.set("Roll", "")
    await page.shows(START)
    assert await page.browser.find("document.querySelectorAll('.answers').length") == 0


async def test_a_question_says_at_once_that_it_is_at_work(page: Page) -> None:
    await page.open("#/position")
    await page.shows(START)
    pressed = (
        "[...document.querySelectorAll('#view button')].find((each) => each.innerText === 'Cube')"
        f".click(), {text_of('#view [role=status]:not([hidden])')}"
    )
    assert await page.browser.find(pressed) == "Cube: computing…"
    await page.browser.until(f"{text_of('.answer h3')}.startsWith('Proper cube action')")
    assert await page.browser.find(text_of("#view [role=status]:not([hidden])")) == ""


async def test_position_is_linked_to_and_gone_back_to(page: Page) -> None:
    await page.open("#/position/backgammon/" + OPENING.replace("=", "%3D"))
    await page.shows(OPENING)
    await page.type(START)
    await page.shows(START)
    assert "00%3A0" in await page.browser.find("location.hash")
    await page.browser.find("history.back()")
    await page.shows(OPENING)


@pytest.mark.when_changed
async def test_board_is_set_up_by_clicks_and_by_keys(page: Page) -> None:
    await page.open("#/position")
    await page.shows(START)
    await page.browser.find("document.querySelector('.setup summary').click()")
    await page.press("Clear")
    await page.browser.until("document.querySelector('.ids.is-stale')")
    await page.complains("")
    click, other = "new MouseEvent('click')", "new MouseEvent('contextmenu', {cancelable: true})"
    for place, event in ((6, click), (6, click), (19, other), (25, click), (0, click), (0, click)):
        await page.point(place, event)
    await page.shows("XGID=b-----B------------a-----A:0:0:1:00:0:0:3:0:10".replace("b", "b"))
    key = "new KeyboardEvent('keydown', {key: %r, shiftKey: %s, cancelable: true})"
    await page.point(0, key % ("Delete", "false"))
    await page.point(7, key % ("Enter", "false"))
    await page.point(18, key % ("Enter", "true"))
    await page.set("Match to", "7")
    await page.set("Points, top", "6")
    await page.set("On roll", "top")
    await page.set("Roll", "6-4")
    await page.shows("XGID=a-----BA----------aa-----A:0:0:-1:64:0:6:0:7:10")
    await page.set("Roll", "")
    await page.shows("XGID=a-----BA----------aa-----A:0:0:-1:00:0:6:0:7:10")
    await page.press("Turn the board")
    await page.shows("XGID=a-----AA----------ab-----A:0:0:1:00:6:0:0:7:10")
    await pictures(page.browser, "set-up")
    await page.point(19, "new MouseEvent('click')")
    await page.shows("XGID=a-----AA----------aA-----A:0:0:1:00:6:0:0:7:10")


async def test_page_writes_boards_and_reads_moves_as_the_engine_does(page: Page) -> None:
    await page.open("#/position")
    states = [state_of(seed) for seed in range(60)]
    boards = json.dumps([shown_state(state)["board"] for state in states])
    script = "import('/position/points.js').then((points) => {})"
    ids = await page.browser.find(script.replace("{}", f"{boards}.map(points.toXgid)"))
    assert ids == [to_xgid(state) for state in states]
    turns = "map(points.turned).map(points.turned)"
    twice = script.replace("{}", f"{boards}.{turns}.map(points.toXgid)")
    assert await page.browser.find(twice) == ids
    moves = [move.text for state in states[:20] for move in rank_moves(state, (4, 2))[:5]]
    chains = [[list(each.points) for each in split_move(move)] for move in moves]
    listed = script.replace("{}", f"{json.dumps(moves)}.map(points.chainsOf)")
    assert await page.browser.find(listed) == chains


async def test_reader_without_a_token_sees_and_asks_nothing(page: Page) -> None:
    await page.open("#/position")
    await page.shows(START)
    await page.browser.find("sessionStorage.clear()")
    await page.type(OPENING)
    await page.shows(OPENING)
    asking = "[...document.querySelectorAll('#view fieldset button')]"
    assert await page.browser.find(f"{asking}.length") == 5
    assert await page.browser.find(f"{asking}.every((each) => each.disabled)")


async def test_what_is_no_position_is_said_and_stays_text(page: Page) -> None:
    await page.open("#/position")
    for text, why in (("XGID=" + EVIL, "an XGID has 10 fields"), (EVIL, "no ID in ")):
        await page.type(text)
        await page.complains(why)
    await page.go("#/position/backgammon/XGID%3D" + EVIL.replace(" ", "%20"))
    await page.complains("an XGID has 10 fields")
    await page.shows(START)
    assert await page.browser.find("document.title") != "evil"
    assert await page.browser.find("document.querySelectorAll('#view img').length") == 0


async def test_rollout_of_chosen_moves_is_begun(page: Page) -> None:
    await page.open("#/position/backgammon/" + OPENING.replace("=", "%3D"))
    await page.press("Moves")
    await page.browser.until("document.querySelectorAll('.answers tbody tr').length === 16")
    for number in (2, 3, 4):
        await page.browser.find(f"document.querySelectorAll('.answers input')[{number}].click()")
    await page.set("Games of each", "36")
    await page.set("Stop when the lead", "2.5")
    await page.press("Roll out these")
    await page.browser.until("location.hash === '#/jobs/1'")
    view = await page.master.show(1)
    context = RolloutContext.from_text(view.context)
    assert (view.trials, view.stop_settled) == (36, 2.5)
    assert [each.name for each in context.alternatives] == [*view.alternative_names]
    assert len(context.alternatives) == 2


CHESS_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CASTLINGS = (
    CHESS_START,
    "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
    "rn2k1r1/8/8/8/8/8/8/R2K3R w Ag - 0 1",
    "4k3/P7/8/8/8/8/7p/4K3 w - - 0 1",
)


async def test_page_writes_boards_of_squares_as_the_engine_does(page: Page) -> None:
    await page.open("#/position")
    boards = [OthelloBoard.start()]
    for _ in range(12):
        boards.append(boards[-1].play(boards[-1].moves()[0]))
    shown = [(shown_board(board)["board"], board.to_text()) for board in boards]
    shown += [(shown_position(read_fen(fen))["board"], fen) for fen in CASTLINGS]
    script = (
        "import('/position/squares.js').then((squares) => {}.map(([board, text]) => squares.textOf("
        "squares.boardOf(board), board.format, new Set(squares.rightsIn(text)))))"
    )
    written = await page.browser.find(script.replace("{}", json.dumps(shown)))
    assert written == [text for _, text in shown]


async def squares_by(page: Page, *keys: str) -> None:
    """Press keys on the board of squares, beginning at its square a1."""
    await page.browser.until("document.querySelector('[data-square=a1]')")
    await page.browser.find("document.querySelector('[data-square=a1]').focus()")
    await page.browser.press(*keys)


@pytest.mark.when_changed
async def test_board_of_squares_is_set_up_by_clicks_and_by_keys_alone(page: Page) -> None:
    await page.open("#/position/chess/" + CHESS_START.replace(" ", "%20"))
    await page.shows(CHESS_START)
    square = "document.querySelector('[data-square={}]').{}"
    await page.browser.find(square.format("e2", "click()"))
    await page.browser.find(square.format("e4", "click()"))
    await page.shows("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1")
    await squares_by(page, "Delete")
    await page.shows("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/1NBQKBNR w Kkq - 0 1")
    await squares_by(page, "R", "ArrowRight", "ArrowUp", "Enter", "ArrowUp", " ")
    await page.shows("rnbqkbnr/pppppppp/8/8/4P3/1P6/P1PP1PPP/RNBQKBNR w KQkq - 0 1")
    await page.browser.find("document.querySelector('.setup summary').click()")
    await page.set("To move", "black")
    await page.shows("rnbqkbnr/pppppppp/8/8/4P3/1P6/P1PP1PPP/RNBQKBNR b KQkq - 0 1")
    await page.browser.find("document.querySelector('#view .tick input').click()")
    await page.shows("rnbqkbnr/pppppppp/8/8/4P3/1P6/P1PP1PPP/RNBQKBNR b Qkq - 0 1")
    await pictures(page.browser, "set-up-chess")
    await page.press("Clear")
    await page.complains("king")
    await pictures(page.browser, "set-up-chess-cleared")
    await page.go("#/position/othello/FFO40")
    await page.shows(FFO40)
    await squares_by(page, "x", "ArrowRight", "o", "ArrowRight", "Enter")
    await page.shows(f"XOX{FFO40[3:]}")
    await squares_by(page, "Enter", "ArrowUp", "o")  # the tool again removes; round the edge
    await page.shows(f"-OX{FFO40[3:56]}O{FFO40[57:]}")


@pytest.mark.when_changed
async def test_piece_stays_lifted_when_the_answer_to_an_earlier_change_comes(page: Page) -> None:
    await page.open("#/position/chess/" + CHESS_START.replace(" ", "%20"))
    await page.shows(CHESS_START)
    await page.browser.find(
        "document.querySelector('[data-square=h2]').dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'Delete', bubbles: true})),"
        "document.querySelector('[data-square=b2]').click()"
    )
    await page.shows("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR w KQkq - 0 1")
    assert await page.browser.find("document.querySelector('.lifted')?.dataset.square") == "b2"


@pytest.mark.when_changed
async def test_board_of_squares_is_shown_and_searched(page: Page) -> None:
    await page.open("#/position/othello/FFO40")
    await page.shows(FFO40)
    assert await page.browser.find("document.querySelectorAll('.square span').length") == 44
    await pictures(page.browser, "squares")
    await page.set("Moves to look ahead", "4")
    await page.press("Search")
    await page.browser.until("location.hash.startsWith('#/searches/')")
    await page.browser.until(f"{text_of('.question a')} === {FFO40!r}")
    await page.browser.until(
        "document.querySelectorAll('.search-board .square span').length === 44"
    )
    assert "no rollout" not in await page.browser.find(text_of("#view"))
    number = await page.browser.find("location.hash.split('/')[2]")
    await page.go(f"#/jobs/{number}")  # a link of before
    await page.browser.until(f"location.hash === '#/searches/{number}'")


@pytest.mark.when_changed
async def test_match_is_analysed_and_its_report_opened(page: Page) -> None:
    await page.open("#/matches")
    match = replace(random_match(5, 3, games_max=2), players=(EVIL, "Bob"))
    content = base64.b64encode(write_mat(match).encode()).decode()
    await page.browser.until("document.querySelector('#match-file:not(:disabled)')")
    chosen = "[...document.querySelectorAll('.hand-in select')].map((each) => each.value)"
    assert await page.browser.find(chosen) == ["backgammon", "normal", ""]
    engine = "document.querySelectorAll('.hand-in .field')[2].hidden"
    assert await page.browser.find(engine), "of backgammon there is no other one"
    await page.set("Level", "quick")
    await choose(page, "evil.mat", base64.b64encode(b"nonsense").decode())
    await page.complains("evil.mat: expected a match")
    await choose(page, f"{EVIL}.mat", content)
    await page.browser.until(f"{text_of('.matches tbody')}.includes('done')")
    await pictures(page.browser, "matches")
    reported = await page.browser.find(text_of(".matches tbody"))
    assert f"{EVIL} - Bob, 3 points" in reported
    assert f"{EVIL}.mat" in reported
    address = await page.browser.find("document.querySelector('.matches a').href")
    await page.browser.open(address)
    await page.browser.until("document.querySelector('.controls:not([hidden])')")
    assert await page.browser.find("document.querySelectorAll('.turn').length") > 10
    assert await page.browser.find("self.origin") == "null", "it is in a box"
    assert EVIL in await page.browser.find("document.title")
    assert await page.browser.find("document.querySelectorAll('img').length") == 0


@pytest.mark.when_changed
async def test_players_of_kept_matches_are_studied(page: Page) -> None:
    await page.open("#/matches")
    await page.browser.until("document.querySelector('#match-file:not(:disabled)')")
    await page.set("Level", "quick")
    for seed, opponent in ((5, "Bob"), (6, "Carl")):
        match = replace(random_match(seed, 3, games_max=2), players=("Ann Lee", opponent))
        content = base64.b64encode(write_mat(match).encode()).decode()
        await choose(page, f"{opponent}.mat", content)
        await page.browser.until(f"{text_of('.matches tbody')}.includes('{opponent}.mat')")
    await page.browser.until(f"{text_of('.players')}.includes('Ann Lee (2 matches)')")
    rows = "document.querySelectorAll('.matches tbody tr').length"
    search = "document.querySelector('#view input[type=search]')"
    await page.browser.find(f"{search}.focus()")
    await page.browser.press(*"CARL")
    await page.browser.until(f"{rows} === 1")
    await page.browser.until(f"{text_of('.players')}.includes('Ann Lee (1 match)')")
    await pictures(page.browser, "matches-kept")
    await page.go("#/matches/backgammon/profile/Ann%20Lee")
    await page.browser.until(f"/^PR [0-9.]+ · 2 matches/.test({text_of('.study')})")
    await pictures(page.browser, "profile", is_whole=True)
    await page.go("#/matches/backgammon/quiz/Ann%20Lee")
    await page.browser.until(f"{text_of('.study h3')}.startsWith('Question 1 of ')")
    await pictures(page.browser, "quiz")
    answer = "document.querySelector('.study select')"
    await page.browser.find(f"{answer}.focus()")
    await page.browser.press("ArrowDown", "ArrowDown", "Tab", "Enter")  # by keys alone
    await page.browser.until(f"/right|loses/.test({text_of('.verdict')})")
    await page.browser.until(f"/^[01] of 1 right/.test({text_of('.study > .note')})")
    await pictures(page.browser, "quiz-answered")
    await page.browser.press("Enter")  # the next question has the focus
    await page.browser.until(f"{text_of('.study h3')}.startsWith('Question 2 of ')")
    await page.press("Skip")
    await page.browser.until(f"{text_of('.verdict')}.startsWith('Best: ')")
    await page.go("#/matches/backgammon/quiz/nobody")
    await page.complains("There is no kept match of this player.")


async def choose(page: Page, name: str, content: str) -> Any:
    """Choose a file, as a person does with the browser's own dialog."""
    await page.browser.find(
        "((input) => { const files = new DataTransfer(); files.items.add(new File("
        f"[Uint8Array.from(atob({content!r}), (each) => each.charCodeAt(0))], {name!r}));"
        " input.files = files.files; input.dispatchEvent(new Event('change')); })"
        "(document.querySelector('#match-file'))"
    )
