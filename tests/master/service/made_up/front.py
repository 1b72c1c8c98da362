"""The made-up game as a master plays it: a search twice over, as games have several."""

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from functools import partial

from engine_ext.control import RunControl
from master.contract.search_views import SearchView
from master.games.front import Front
from master.search import SearchSpec, Strategy
from master.search.running.task import FalseWordError, Searching, SearchTask
from tests.master.search.fake_fleet import MadeUpWording, bounds_text
from tests.master.search.synthetic import MadeUpGame, SyntheticEngine
from tests.master.service.made_up.engine import read_whole

STRATEGY = Strategy("test", depth_min=2, news_depth=2)


def prove(game: MadeUpGame, question: str, control: RunControl) -> str:
    """Search a claim as an analyser would."""
    engine = SyntheticEngine(game, {})
    position, depth, alpha, beta = question.split()[1:]
    engine.begin(bytes.fromhex(position), int(depth), int(alpha), int(beta))
    while not engine.is_done:
        engine.step(1000)
    return bounds_text(*engine.proved())


async def search_whole(
    context: str, searching: Searching, on_view: Callable[[SearchView], None]
) -> str:
    """Search to half the depth, and to all of it."""
    seed, depth = read_whole(context)
    game, nodes, found = MadeUpGame(seed), 0, ""
    for one in (depth // 2, depth):
        spec = SearchSpec(game.root(), (one,))
        task = SearchTask(spec, MadeUpWording(game), STRATEGY, prove=partial(prove, game))
        while True:
            try:
                async with aclosing(searching(task)) as statuses:
                    async for status in statuses:
                        view = SearchView(f"depth {one}", nodes=nodes + status.nodes)
                        on_view(replace(view, parts=status.parts))
                break
            except FalseWordError as error:
                if not error.are_others_here:
                    raise
        nodes += status.nodes
        assert status.answer is not None
        found = f"value={status.answer.value} move={status.answer.move}"
    on_view(SearchView(nodes=nodes, parts=status.parts))
    return found


FRONT = Front(search_job=search_whole)
