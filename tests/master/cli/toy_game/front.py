"""Nim at the command line, declared as any game declares it."""

import re
from collections.abc import Callable
from contextlib import aclosing

import click

from master.cli.commands import CommandGroup, GameCommands, ListedCommand
from master.cli.jobs.watching import run_async, run_job
from master.cli.master_access import open_master
from master.cli.output import echo
from master.cli.place import Place, place_options
from master.cli.playing.game_file import GameFile
from master.cli.playing.player import play_at_terminal
from master.contract.master import Master
from master.contract.search_views import SearchView
from master.contract.views import JobRequest
from master.games.front import Front
from master.games.handlers import Handlers
from master.games.spans import DrawnPosition, Screen, Span
from master.reports.report import Report
from master.search.running.task import Searching, SearchTask
from master.search.state import SearchSpec
from master.search.strategies import Strategy
from tests.engine_ext.search import nim
from tests.master.cli.toy_game.engine import ENGINE, heaps_of
from tests.master.cli.toy_game.nim_session import NIM_FORMATS, NimRecord, NimSession, nim_commands
from tests.master.cli.toy_game.rules import NimWording


def read_heaps(text: str) -> nim.Heaps:
    if not re.fullmatch(r"heaps=[0-9](,[0-9]){0,7}", text):
        raise ValueError(f"{text!r} are no heaps: expected such as heaps=3,2,2")
    return tuple(map(int, text.removeprefix("heaps=").split(",")))


def heaps_report(heaps: nim.Heaps) -> Report:
    return {"heaps": list(heaps)}


def draw_heaps(heaps: nim.Heaps, screen: Screen) -> DrawnPosition:
    return DrawnPosition(heaps_text(heaps), [(Span("|" * heap),) for heap in heaps])


def heaps_text(heaps: nim.Heaps) -> str:
    return f"heaps={','.join(map(str, heaps))}"


def handlers() -> Handlers:
    from tests.master.cli.toy_game.handlers import HANDLERS  # noqa: PLC0415  # which reads heaps

    return HANDLERS


heaps_argument = click.argument("heaps", callback=lambda ctx, param, text: read_heaps(text))


@click.command("nimble")
@heaps_argument
@place_options
def nimble_command(heaps: nim.Heaps, place: Place) -> None:
    text = ",".join(map(str, heaps))

    async def start(master: Master) -> int:
        return await master.submit(JobRequest(f"nim/1 heaps={text}", 40, label=text))

    run_job(place, start, is_json=True)


@click.command("nimvalue")
@heaps_argument
@place_options
def nimvalue_command(heaps: nim.Heaps, place: Place) -> None:
    async def work() -> list[str]:
        async with open_master(place) as master:
            return await master.ask([f"nim-value/1 heaps={','.join(map(str, heaps))}"])

    echo(run_async(work())[0])


@click.command("nim")
@heaps_argument
@place_options
def search_nim(heaps: nim.Heaps, place: Place) -> None:
    text = ",".join(map(str, heaps))

    async def start(master: Master) -> int:
        context = f"nim-whole/1 engine={ENGINE} heaps={text}"
        return await master.submit(JobRequest(context, label=text))

    run_job(place, start, is_json=True, games=("nim",))


async def search_whole(
    context: str, searching: Searching, on_view: Callable[[SearchView], None]
) -> str:
    heaps = heaps_of(context)
    spec = SearchSpec(bytes(heaps), (sum(heaps),))
    task = SearchTask(spec, NimWording(), Strategy("test", depth_min=2))
    async with aclosing(searching(task)) as statuses:
        async for status in statuses:
            found = status
            on_view(SearchView("searching", nodes=status.nodes, parts=status.parts))
    assert found.answer is not None
    return f"value={found.answer.value}"


@click.command("nim")
@heaps_argument
def play_nim(heaps: nim.Heaps) -> None:
    """The player moves first, by heap and what is left there."""
    table = NimSession(NimRecord(heaps), GameFile(NIM_FORMATS))
    play_at_terminal(table, nim_commands(table), "manyply play nim")


@click.command("nim")
@heaps_argument
@click.argument("depth", type=int)
def perft_nim(heaps: nim.Heaps, depth: int) -> None:
    def count(heaps: nim.Heaps, depth: int) -> int:
        moves = nim.moves(heaps)
        if not depth or not moves:
            return 1
        return sum(count(nim.played(heaps, move), depth - 1) for move in moves)

    echo(str(count(heaps, depth)))


FRONT = Front(
    read_position=read_heaps,
    position_report=heaps_report,
    draw_position=draw_heaps,
    handlers=handlers,
    search_job=search_whole,
)
COMMANDS = GameCommands(
    own={
        "nimble": ListedCommand(
            lambda: nimble_command, "Play the first moves out by chance.", CommandGroup.PLAY
        ),
        "nimvalue": ListedCommand(
            lambda: nimvalue_command, "Ask who wins.", CommandGroup.POSITIONS
        ),
    },
    verbs={"play": lambda: play_nim, "search": lambda: search_nim, "perft": lambda: perft_nim},
)
