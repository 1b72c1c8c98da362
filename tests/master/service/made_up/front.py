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

FRONT = Front(search_job=f"{__name__}:search_whole")
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
                async with aclosing(searching(task)) as standings:
                    async for standing in standings:
                        view = SearchView(f"depth {one}", nodes=nodes + standing.nodes)
                        on_view(replace(view, parts=standing.parts))
                break
            except FalseWordError as error:
                if not error.are_others_here:
                    raise
        nodes += standing.nodes
        assert standing.answer is not None
        found = f"value={standing.answer.value} move={standing.answer.move}"
    on_view(SearchView(nodes=nodes, parts=standing.parts))
    return found
