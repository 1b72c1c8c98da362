"""The engines that a master's analysers have, and the choice of one by its name or digest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field as Limit

from master.api.routing import Operation
from master.api.rules import Need, Refusal, RefusedError
from master.api.site import Site
from master.contract.shapes import Count, Shown
from master.contract.views import AnalyserLine
from master.games.handlers import NamedEngine

ENGINE_CHARACTERS_MAX = 200
"""Of an engine's name, with the options that are set."""

LISTED_MAX = 8
"""Engines that an error names."""

READY = "ready"

EngineText = Annotated[str, Limit(max_length=ENGINE_CHARACTERS_MAX)]


@dataclass(frozen=True, slots=True)
class EngineShown(Shown):
    """An engine that analysers have.

    Args:
        game: whose engine it is.
        engine: its digest.
        name: with the options that are set; empty: it is the game's own.
        analysers: how many have it, and are ready.
        workers: of all of them together.
    """

    game: str
    engine: str
    name: str
    analysers: Count
    workers: Count


@dataclass(frozen=True, slots=True)
class EnginesShown(Shown):
    """Engines, sorted by game, name and digest."""

    engines: tuple[EngineShown, ...]


def engines_of(analysers: Iterable[AnalyserLine], game: str = "") -> list[EngineShown]:
    """Return the engines that analysers have; of one game, if its name is given."""
    having: dict[tuple[str, str, str], list[AnalyserLine]] = {}
    for line in analysers:
        for offer in line.engines if line.state == READY else ():
            if game in ("", offer.game):
                having.setdefault((offer.game, offer.name, offer.engine), []).append(line)
    return [
        EngineShown(game, engine, name, len(lines), sum(line.workers for line in lines))
        for (game, name, engine), lines in sorted(having.items())
    ]


def chosen_engine(analysers: Sequence[AnalyserLine], game: str, text: str) -> NamedEngine:
    """Return the engine of a digest, a name, or the beginning of a name.

    Raises:
        RefusedError: no analyser that is ready has it, or several engines have such names; the
            text names the engines that there are.
    """
    found = engines_of(analysers, game)
    wanted = text.strip().casefold()
    same = [each for each in found if wanted in (each.engine, each.name.casefold())]
    like = same or [each for each in found if each.name.casefold().startswith(wanted)]
    if len(like) == 1:
        return NamedEngine(like[0].engine, like[0].name)
    shown = text.strip()[:ENGINE_CHARACTERS_MAX]
    if like:
        raise _refused(f"several {game} engines are called {shown!r}: {_listed(like)}")
    has = f"there are {_listed(found)}" if found else f"none has an engine of {game}"
    how = f"start one with `manyply-analyser --engine {game}=...`"
    raise _refused(f"no analyser that is ready has the {game} engine {shown!r}: {has}; {how}")


def _listed(engines: Sequence[EngineShown]) -> str:
    names = [f"{each.name or 'our own'} ({each.engine})" for each in engines[:LISTED_MAX]]
    return ", ".join(names) + (", ..." if len(engines) > LISTED_MAX else "")


def _refused(text: str) -> RefusedError:
    return RefusedError(Refusal(422, "unknown-engine", text))


class EnginesHandlers:
    """Answers requests about engines."""

    def __init__(self, site: Site) -> None:
        self._site = site

    @Operation("GET", "/api/engines", Need.READING)
    async def engines(self, game: str = "") -> EnginesShown:
        """List the engines that ready analysers have; of one game, if it is named."""
        return EnginesShown(tuple(engines_of(await self._site.master.who(), game)))
