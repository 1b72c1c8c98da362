"""The content of a review: games, actions with their analysis, and the course of the match.

All functions are pure: the same match and analysis give the same values.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from engine_ext.backgammon.analyse import MOVES_KEPT
from engine_ext.backgammon.analysis import CheckerAnalysis, CubeAnalysis, MoveAnalysis
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met import kazaross_xg2
from engine_ext.backgammon.move_text import format_move
from engine_ext.backgammon.questions import AnalysisSettings
from master.games.backgammon.matches.figures import Both, MatchFigures, match_value
from master.games.backgammon.matches.judging import ActionChoice, Judgement, RollLuck
from master.games.backgammon.matches.record import (
    Action,
    AnalysedMatch,
    Beaver,
    Double,
    Drop,
    Game,
    Play,
    Take,
)
from master.games.backgammon.matches.replay import Moment, walk

CANDIDATES = 5
"""The most moves shown for a roll; the one played is always among them."""


@dataclass(frozen=True)
class Candidate:
    """One move of a roll.

    Args:
        rank: from 1; of a last one that was only added because it was played, at least that.
        move: with its values.
        loss: against the best move; 0.0 or more.
        is_played: it is the move that was played.
        is_added: so many moves are better that the analysis does not list them all.
    """

    rank: int
    move: MoveAnalysis
    loss: float
    is_played: bool
    is_added: bool = False

    @property
    def rank_text(self) -> str:
        """The rank; `21+` of a move that is the 21st at best."""
        return f"{self.rank}+" if self.is_added else str(self.rank)


@dataclass(frozen=True)
class Turn:
    """One action of a game.

    Args:
        game: index of the game.
        index: of the action in it.
        action: the action itself.
        state: before it (of a play: before the roll), seen by the player on roll: the doubler, if
            the action answers a double.
        text: of a play: the move in words; None for a roll left unmoved, and for other actions.
        checker: the analysis of a play.
        cube: of the cube question before a roll, or of the double made or answered here.
        decisions: those judged here: the cube question, then the move.
        luck: of the roll.
        comments: on the action.
    """

    game: int
    index: int
    action: Action
    state: GameState
    text: str | None
    checker: CheckerAnalysis | None
    cube: CubeAnalysis | None
    decisions: tuple[Judgement, ...]
    luck: RollLuck | None
    comments: tuple[str, ...]

    @property
    def player(self) -> int:
        """The player of the action."""
        return self.action.player

    @property
    def dice(self) -> tuple[int, int] | None:
        """The roll of a play."""
        return self.action.dice if isinstance(self.action, Play) else None

    @property
    def error(self) -> float:
        """The loss of all decisions here, in normalised equity."""
        return sum(each.error for each in self.decisions)

    @property
    def cost(self) -> float:
        """The same in points or match winning chance."""
        return sum(each.cost for each in self.decisions)

    @property
    def move_decision(self) -> Judgement | None:
        """The judgement of the move."""
        found = (each for each in self.decisions if each.choice is ActionChoice.MOVE)
        return next(found, None)

    @property
    def cube_decision(self) -> Judgement | None:
        """The judgement of the cube action."""
        found = (each for each in self.decisions if each.choice is not ActionChoice.MOVE)
        return next(found, None)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The best moves of the roll; the one played is the last if it was not among them."""
        checker = self.checker
        if checker is None:
            return ()
        best = checker.moves[0].equity_cubeful
        places = list(range(min(CANDIDATES, len(checker.moves))))
        if checker.played not in places:
            places[-1] = checker.played
        return tuple(
            Candidate(
                place + 1,
                checker.moves[place],
                max(0.0, best - checker.moves[place].equity_cubeful),
                place == checker.played,
                place == checker.played >= MOVES_KEPT,
            )
            for place in places
        )


@dataclass(frozen=True)
class GameReview:
    """A game of the match: its record, figures and turns, and comments on its end."""

    index: int
    game: Game
    figures: Both
    turns: tuple[Turn, ...]
    comments: tuple[str, ...]


@dataclass(frozen=True)
class MatchReview:
    """The review of a match.

    Args:
        analysed: the match.
        figures: drawn from it.
        settings: of the analysis; None: it came with the file.
        engine: digest of the engine that answered; None likewise.
        table: the match equities; None for the shipped ones.
        players: those whose figures are shown.
    """

    analysed: AnalysedMatch
    figures: MatchFigures
    settings: AnalysisSettings | None = None
    engine: str | None = None
    table: MatchTable | None = None
    players: tuple[int, ...] = (0, 1)

    @cached_property
    def names(self) -> tuple[str, str]:
        """The players' names; a player without a name is called by number."""
        first, second = (
            name.strip() or f"player {number}"
            for number, name in enumerate(self.analysed.match.players, start=1)
        )
        return first, second

    @cached_property
    def games(self) -> tuple[GameReview, ...]:
        """The analysed games.

        Raises:
            RecordError: a game breaks the rules.
        """
        decisions: dict[tuple[int, int], list[Judgement]] = defaultdict(list)
        for each in self.figures.decisions:
            decisions[each.game, each.action].append(each)
        rolls = {(each.game, each.action): each for each in self.figures.rolls}
        return tuple(
            self._game(index, both, decisions, rolls) for index, both in self.figures.games
        )

    @property
    def turns(self) -> Iterator[Turn]:
        """All turns, in order."""
        return (turn for game in self.games for turn in game.turns)

    def _game(
        self,
        index: int,
        figures: Both,
        decisions: dict[tuple[int, int], list[Judgement]],
        rolls: dict[tuple[int, int], RollLuck],
    ) -> GameReview:
        game = self.analysed.match.games[index]
        turns = []
        for moment in walk(self.analysed.match, index):
            analysis = self.analysed.of(index, moment.index)
            turns.append(
                Turn(
                    game=index,
                    index=moment.index,
                    action=moment.action,
                    state=moment.state.game,
                    text=_move_text(moment),
                    checker=None if analysis is None else analysis.checker,
                    cube=None if analysis is None else analysis.cube,
                    decisions=tuple(decisions.get((index, moment.index), ())),
                    luck=rolls.get((index, moment.index)),
                    comments=_comments(game, moment.index),
                )
            )
        return GameReview(index, game, figures, tuple(turns), _comments(game, len(game.actions)))


def _move_text(moment: Moment) -> str | None:
    if moment.move is None:
        return None
    return format_move(moment.state.game.position, moment.move.steps)


def _comments(game: Game, index: int) -> tuple[str, ...]:
    return tuple(text for place, text in game.comments if place == index)


@dataclass(frozen=True)
class Step:
    """One action in the course of the match.

    Args:
        turn: the action.
        match_value: player 0's lead after it; None if it is unknown.
        luck: of player 0 minus that of player 1, summed up to here, in points or chances.
    """

    turn: Turn
    match_value: float | None
    luck: float


@dataclass(frozen=True)
class GameTrend:
    """A game: its steps, and player 0's lead before the first and after the last of them.

    `after` is None for an unfinished game.
    """

    review: GameReview
    before: float
    steps: tuple[Step, ...]
    after: float | None


def trend(review: MatchReview) -> tuple[GameTrend, ...]:
    """Return the course of the analysed games."""
    met = kazaross_xg2() if review.table is None else review.table.met
    match, luck, games = review.analysed.match, 0.0, []
    for game in review.games:
        steps = []
        for turn in game.turns:
            if turn.luck is not None:
                luck += -turn.luck.cost if turn.player else turn.luck.cost
            steps.append(Step(turn, match_value_after(turn, review.table), luck))
        is_over = game.game.result is not None
        after = match_value(match, game.game, met, is_over=True) if is_over else None
        games.append(GameTrend(game, match_value(match, game.game, met), tuple(steps), after))
    return tuple(games)


def match_value_after(turn: Turn, table: MatchTable | None = None) -> float | None:
    """Return player 0's lead after an action, by the action's analysis; None without one."""
    equity = None
    if turn.checker is not None:
        equity = turn.checker.moves[turn.checker.played].equity_cubeful
    elif turn.cube is not None:
        equity = _equity_after(turn, turn.cube)
    return None if equity is None else _match_value_at(turn.state, equity, table)


def _equity_after(turn: Turn, cube: CubeAnalysis) -> float | None:
    """Return the equity after a cube action, from the doubler's view."""
    if isinstance(turn.action, Double):
        return cube.doubled
    if isinstance(turn.action, Take):
        return cube.double_take
    if isinstance(turn.action, Beaver):
        return cube.not_passed
    return cube.double_pass if isinstance(turn.action, Drop) else None


def _match_value_at(state: GameState, equity: float, table: MatchTable | None) -> float:
    match = state.match
    is_second = match.player_on_roll == 1
    if match.match_length == 0:
        ahead = match.score[0] - match.score[1] + match.cube_value * equity
        return -ahead if is_second else ahead
    chance = cube_of(match, table).equity_to_mwc(equity)
    return 1.0 - chance if is_second else chance
