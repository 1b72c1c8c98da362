"""Random matches with legal moves analysed, comments, tags and set-ups: all that a file keeps."""

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from engine_ext.backgammon.analysis import (
    ActionAnalysis,
    CheckerAnalysis,
    CubeAnalysis,
    MoveAnalysis,
)
from engine_ext.backgammon.board import Position
from engine_ext.backgammon.cube import cube_action
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import CENTRED, GameState
from engine_ext.backgammon.move_text import format_move
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.ranking import Probs
from master.games.backgammon.matches.record import (
    Action,
    AnalysedMatch,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Take,
)
from master.games.backgammon.matches.replay import GameStage, Moment, apply, start_of, walk
from tests.engine_ext.backgammon.states import game_states
from tests.master.games.backgammon.matches.random_matches import matches

LEVELS = (
    "0-ply",
    "exact",
    "2-ply",
    "3-ply cubeless",
    "rollout 1296",
    "rollout 36 at 1-ply",
    "XG Roller++",
)
TEXTS = st.text(st.characters(exclude_characters="\t\v\f\r", codec="utf-8"), min_size=1, max_size=9)
LINES = TEXTS.map(lambda text: text.replace("\n", " "))
TAGS = st.dictionaries(
    st.sampled_from(("event", "date", "rating0", "rating1", "comment", "site", "a:b")), LINES
)
MOVES_LISTED = 4


def analysed(match: Match, seed: int, *, is_engine_like: bool = False) -> AnalysedMatch:
    """Say something about most actions of a match.

    Args:
        match: any.
        seed: of what is said.
        is_engine_like: every number follows from the others as an engine's do.
    """
    random = Random(seed)
    analyses = tuple(
        tuple(_analysis(random, moment, is_engine_like) for moment in walk(match, index))
        for index in range(len(match.games))
    )
    is_said = any(entry is not None for analysis in analyses for entry in analysis)
    return AnalysedMatch(match, analyses if is_said else ())


def _analysis(random: Random, moment: Moment, is_engine_like: bool) -> ActionAnalysis | None:
    checker = cube = luck = None
    is_known = moment.state.game.match.cube_value <= 4096
    if isinstance(moment.action, Play) and moment.move is not None and random.random() < 0.8:
        luck = random.gauss(0.0, 0.3)
        if is_known and moment.move.steps:
            checker = _checker(random, moment, moment.action, is_engine_like)
    if is_known and random.random() < 0.4 and not isinstance(moment.action, Resign):
        cube = _cube(random, moment, is_engine_like)
    if checker is None and cube is None and luck is None:
        return None
    return ActionAnalysis(checker, cube, luck)


def _probs(random: Random) -> Probs:
    win = random.random()
    return Probs(win, win * 0.3, win * 0.01, (1.0 - win) * random.random(), 0.0)


def _level(random: Random) -> tuple[str, float | None]:
    level = random.choice(LEVELS)
    return level, random.random() * 0.01 if "rollout" in level else None


def _checker(random: Random, moment: Moment, play: Play, is_engine_like: bool) -> CheckerAnalysis:
    position, match = moment.state.game.position, moment.state.game.match
    legal = legal_moves(position, play.dice)
    made = next(move for move in legal if move == moment.move)
    listed = random.sample(legal, min(MOVES_LISTED, len(legal)))
    if made not in listed:
        listed[-1] = made
    values = sorted((random.uniform(-1.0, 1.0) for _ in listed), reverse=True)
    moves = []
    for move, equity in zip(listed, values, strict=True):
        level, error = ("2-ply", None) if is_engine_like else _level(random)
        probs = _probs(random)
        cubeless = cube_of(match).cubeless_equity(probs) if is_engine_like else random.random()
        text = format_move(position, move.steps)
        moves.append(MoveAnalysis(text, level, equity, cubeless, probs, error))
    is_forced = len(legal) == 1 if is_engine_like else random.random() < 0.5
    return CheckerAnalysis(tuple(moves), listed.index(made), is_forced)


def _cube(random: Random, moment: Moment, is_engine_like: bool) -> CubeAnalysis:
    equities = (random.uniform(-1.0, 1.5), random.uniform(-1.0, 1.5), 1.0)
    probs, cube = _probs(random), cube_of(moment.state.game.match)
    if is_engine_like:
        cubeless = cube.cubeless_equity(probs)
        return CubeAnalysis("2-ply", *equities, cube_action(*equities, cube), cubeless, probs)
    level, error = _level(random)
    beaver = random.choice((None, -random.random()))
    return CubeAnalysis(level, *equities, "take: it's easy", random.random(), probs, error, beaver)


@st.composite
def annotated(draw: st.DrawFn) -> Match:
    """Draw a match with names, tags and comments."""
    match = draw(matches)
    names = draw(st.tuples(LINES, LINES))
    game_index = draw(st.integers(0, len(match.games) - 1))
    game = match.games[game_index]
    drawn = draw(st.lists(st.tuples(st.integers(0, len(game.actions)), TEXTS), max_size=4))
    comments = tuple(sorted(drawn, key=lambda comment: comment[0]))
    games = list(match.games)
    games[game_index] = replace(game, comments=comments)
    return replace(match, players=names, games=tuple(games), tags=draw(TAGS))


def _is_playable(state: GameState) -> bool:
    return state.position.result == 0 and state.match.cube_log2_max > 0


@st.composite
def set_up(draw: st.DrawFn) -> Match:
    """Draw a match of one game that begins anywhere, with a few actions."""
    state = draw(game_states.filter(_is_playable))
    own = state.match
    score = own.score if own.player_on_roll == 0 else own.score[::-1]
    game = Game((score[0], score[1]), is_crawford=own.crawford, start=state)
    match = Match(("Ann", "Bob"), own.match_length, (game,), True, own.jacoby, own.beavers)
    current, actions = start_of(match, game), list[Action]()
    random = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, 4))):
        if current.stage is GameStage.OVER:
            break
        actions.append(_action(random, current.decider, current.stage, current.game))
        current = apply(current, actions[-1])
    played = replace(game, actions=tuple(actions), result=current.result)
    return replace(match, games=(played,))


def _action(random: Random, player: int, stage: GameStage, game: GameState) -> Action:
    if stage is GameStage.ANSWER:
        return random.choice((Take(player), Drop(player)))
    if random.random() < 0.1:
        multiple = 1 if game.match.jacoby and game.match.cube_owner == CENTRED else 2
        return Resign(player, multiple)
    dice = game.match.dice or (random.randint(1, 6), random.randint(1, 6))
    return Play(player, dice, random.choice(_steps(game.position, dice)))


def _steps(position: Position, dice: tuple[int, int]) -> list[tuple[tuple[int, int], ...]]:
    return [move.steps for move in legal_moves(position, dice)]


annotated_matches = st.builds(analysed, annotated(), st.integers(0, 2**32))
set_up_matches = st.builds(analysed, set_up(), st.integers(0, 2**32))
engine_matches = st.builds(analysed, matches, st.integers(0, 2**32), is_engine_like=st.just(True))
