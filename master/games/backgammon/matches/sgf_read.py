"""Reads gnubg's match files, SGF game 6, with the analysis in them.

The properties are gnubg's, and a few of ours.  sgf_tree parses the trees, sgf_analysis reads the
evaluations, and flow checks the actions.

White, W, is player 0.  Only the main line is read; gnubg's marks and statistics are ignored,
since they follow from the analysis.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from engine_ext.backgammon.analysis import ActionAnalysis
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.movegen import LegalMove
from master.games.backgammon.matches.flow import (
    GameStage,
    ReplayState,
    advance,
    start_of,
    turned_to,
)
from master.games.backgammon.matches.record import (
    Action,
    AnalysedMatch,
    Beaver,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Take,
)
from master.games.backgammon.matches.repairs import (
    CrawfordFlags,
    read_forgiving,
    resignation,
    stand_in,
)
from master.games.backgammon.matches.replay import check_crawford, check_next
from master.games.backgammon.matches.sgf_analysis import Decision, read_analysis, read_steps
from master.games.backgammon.matches.sgf_header import (
    BOARD_PROPERTIES,
    PLAYERS,
    Setup,
    SgfHeader,
    has_beaver,
    read_dice,
    read_header,
    read_player,
    uncounted_doubles,
    uncounted_warnings,
    uses_cube,
    without_crawford,
    without_uncounted,
)
from master.games.backgammon.matches.sgf_tree import (
    Node,
    Tree,
    parse_sgf,
    to_text,
)
from master.games.errors import LineError, RecordError
from master.games.skipped import SkippedGame

_RESIGNATION = re.compile(r"([WB])([1-9])")


def read_sgf(text: str, name: str) -> AnalysedMatch:
    """Read a match or session as gnubg saves it.

    A match that breaks the Crawford rule that it claims to use is read without it, with a warning;
    likewise automatic doubles that the scores do not count.

    Args:
        text: of the file, decoded (see sgf_tree.decode_sgf).
        name: of the file, for errors.

    Raises:
        RecordError: it cannot be read; the text names file, line and expected content.
    """
    return read_trees(parse_sgf(text, name), name)


def read_trees(trees: Sequence[Tree], name: str) -> AnalysedMatch:
    """Read the games of a match or session, as `read_sgf` does."""
    return read_forgiving(lambda flags: _read(trees, name, flags), name)


def _read(trees: Sequence[Tree], name: str, flags: CrawfordFlags | None) -> AnalysedMatch:
    """Read games; with `flags`, without the Crawford rule; then fill `flags`."""
    plain = _TreesReader(trees, name, has_crawford=flags is None)
    for number, tree in enumerate(trees, start=1):
        is_read, is_crawford = plain.read(number, tree)
        if is_read and flags is not None:
            flags.append(is_crawford)
    return plain.analysed()


class _TreesReader:
    """The games of a file read so far."""

    def __init__(self, trees: Sequence[Tree], name: str, *, has_crawford: bool) -> None:
        self._name = name
        self._has_crawford = has_crawford
        self._is_beavered = any(map(has_beaver, trees))
        self._is_cube_used = any(map(uses_cube, trees))
        self._tree_count = len(trees)
        self._factors = uncounted_doubles(trees)
        self._match = Match(("", ""), 0)
        self._is_begun = False
        self._games: list[Game] = []
        self._analyses: list[tuple[ActionAnalysis | None, ...]] = []
        self._skipped: list[SkippedGame] = []
        self._first_error: LineError | None = None

    def read(self, number: int, tree: Tree) -> tuple[bool, bool | None]:
        """Read a game, or skip it by name.

        Returns:
            Whether it is in the match, and whether it is called the Crawford game; None: this is
            not stated.
        """
        header: SgfHeader | None = None
        try:
            with _naming(self._name, tree.nodes[0]):
                header = without_uncounted(self._header(tree), self._factors[number - 1])
            reader = _SgfGameReader(
                self._ruled(header), self._name, has_crawford=self._has_crawford
            )
            game, analysis = reader.read(tree)
            with _naming(self._name, tree.nodes[0]):
                check_next(replace(self._match, games=(*self._games, game)))
        except LineError as error:
            self._first_error = self._first_error or error
            self._skipped.append(SkippedGame(number, error.message, error.place[0]))
            score = (0, 0) if header is None else header.game.score
            instead = stand_in(self._match, self._games, score)
            if instead is None:
                return False, None
            game, analysis = instead, ()
        self._games.append(game)
        self._analyses.append(analysis)
        return True, None if header is None else header.game.is_crawford

    def _header(self, tree: Tree) -> SgfHeader:
        header = read_header(tree, is_beavered=self._is_beavered, is_cube_used=self._is_cube_used)
        match = self._ruled(header).match
        if not self._is_begun:
            self._match, self._is_begun = match, True
        elif _rules(match) != _rules(self._match):
            raise RecordError("expected players, length and rules as in the first game")
        return header

    def _ruled(self, header: SgfHeader) -> SgfHeader:
        return header if self._has_crawford else without_crawford(header)

    def analysed(self) -> AnalysedMatch:
        """Return the match; RecordError if nothing was read."""
        if self._first_error is not None and len(self._skipped) == self._tree_count:
            raise self._first_error
        match = replace(self._match, games=tuple(self._games))
        try:
            check_crawford(match)
        except RecordError as error:
            raise RecordError(f"{self._name}: {error}") from None
        is_analysed = any(entry is not None for each in self._analyses for entry in each)
        analyses = tuple(self._analyses) if is_analysed else ()
        warnings = uncounted_warnings(self._name, self._factors)
        return AnalysedMatch(match, analyses, warnings, tuple(self._skipped))


def _rules(match: Match) -> Match:
    return replace(match, tags={})


@contextmanager
def _naming(name: str, node: Node) -> Iterator[None]:
    """Name the place in the errors raised inside."""
    try:
        yield
    except LineError:
        raise
    except RecordError as error:
        raise LineError(name, node.line, str(error)) from None


class _SgfGameReader:
    """A game, up to the nodes read so far."""

    def __init__(self, header: SgfHeader, name: str, *, has_crawford: bool) -> None:
        self._header = header
        self._has_crawford = has_crawford
        self._name = name
        self._game = header.game
        self._setup = Setup(cube_value=header.game.cube)
        self._is_set_up = False
        self._state: ReplayState | None = None  # None before the first action
        self._actions: list[Action] = []
        self._analyses: list[ActionAnalysis | None] = []
        self._comments: list[tuple[int, str]] = []
        self._rolled: tuple[Play, Node] | None = None  # by DI, and not moved yet
        self._beavered = -1  # the player to take a beaver, or nobody

    def read(self, tree: Tree) -> tuple[Game, tuple[ActionAnalysis | None, ...]]:
        for node in tree.main_line():
            with _naming(self._name, node):
                if node is not tree.nodes[0]:
                    self._read_node(node)
                self._read_comments(node)
        with _naming(self._name, node):
            self._end()
        game = replace(self._game, actions=tuple(self._actions), comments=tuple(self._comments))
        return game, tuple(self._analyses)

    def _read_comments(self, node: Node) -> None:
        """A comment belongs to the action of its node, or to the next one."""
        is_action = any(node.values(name) for name in (*PLAYERS, "XR"))
        index = len(self._actions) - (is_action and bool(self._actions))
        self._comments += [(index, to_text(value)) for value in node.values("C")]

    def _read_node(self, node: Node) -> None:
        player = next((number for number, name in enumerate(PLAYERS) if node.values(name)), -1)
        if player >= 0:
            self._read_action(player, node.value(PLAYERS[player]) or "", node)
        elif node.values("XR"):
            self._move_nothing()
            self._act(_read_resignation(node), node)
        elif any(node.values(name) for name in BOARD_PROPERTIES):
            self._set_up(node)
        elif node.values("DI"):
            self._roll(node)
        elif node.values("C"):
            self._move_nothing()

    def _set_up(self, node: Node) -> None:
        if self._actions:
            raise RecordError(
                "expected no set-up in the middle of a game: one whose board, cube or turn was "
                "edited cannot be kept"
            )
        self._rolled = None  # for the board before
        self._is_set_up = True
        self._setup.add(node)

    def _roll(self, node: Node) -> None:
        exact = self._setup.exact
        is_start = self._is_set_up and not self._actions and self._setup.dice is None
        if is_start and (exact is None or exact.match.dice is not None):
            self._setup.add(node)
            return
        self._move_nothing()
        play = Play(read_player(node.value("PL")), read_dice(node.value("DI")), ())
        self._rolled = (play, node)

    def _read_action(self, player: int, word: str, node: Node) -> None:
        if self._beavered >= 0:
            if (player, word) != (self._beavered, "take"):
                kind = {"drop": "a passed beaver", "double": "a beaver of a beaver (raccoon)"}
                found = kind.get(word, "a beaver without an answer")
                raise RecordError(f"expected the beaver to be taken: {found} cannot be kept")
            self._beavered = -1
        elif word == "double":
            self._double(player, node)
        elif word in ("take", "drop"):
            self._act(Take(player) if word == "take" else Drop(player), node)
        else:
            self._play(player, word, node)

    def _double(self, player: int, node: Node) -> None:
        state = self._begin(player)
        is_start = not self._actions and state.stage is GameStage.ANSWER
        if is_start and player == state.player_on_roll:
            return  # the double that the set-up offers
        if state.stage is GameStage.ANSWER and player == state.decider:
            self._act(Beaver(player), node)
            self._beavered = 1 - player
        else:
            self._act(Double(player), node)

    def _play(self, player: int, word: str, node: Node) -> None:
        play = Play(player, read_dice(word[:2]), read_steps(player, word[2:]))
        if self._rolled is not None:
            rolled = self._rolled[0]
            if (rolled.player, sorted(rolled.dice)) != (player, sorted(play.dice)):
                raise RecordError("expected the move of the roll before it")
            self._rolled = None
        self._act(play, node)

    def _move_nothing(self) -> None:
        """Keep a roll that was left unmoved."""
        if self._rolled is not None:
            play, node = self._rolled
            self._rolled = None
            self._act(play, node)

    def _begin(self, player: int) -> ReplayState:
        """The state before the next action, which is the player's."""
        if self._state is None:
            if self._is_set_up:
                self._game = replace(self._game, start=self._start(player), cube=1)
            self._state = start_of(self._header.match, self._game)
        return self._state

    def _start(self, player: int) -> GameState:
        match, game = self._header.match, self._game
        try:
            surroundings = MatchState(
                match_length=match.length,
                score=game.score,
                crawford=game.is_crawford,
                jacoby=match.jacoby,
                beavers=match.beavers,
            )
        except ValueError as error:
            raise RecordError(str(error)) from None
        start = self._setup.state(player, surroundings)
        if self._has_crawford:
            return start
        return replace(start, match=replace(start.match, crawford=False))

    def _act(self, action: Action, node: Node) -> None:
        before = turned_to(self._begin(action.player), action)
        self._state, move = advance(before, action)
        if isinstance(action, Play):
            action = _in_steps(action, move)
        game = before.game
        play = action if isinstance(action, Play) else None
        decision = Decision(action.player, game.position, game.match, play)
        self._actions.append(action)
        self._analyses.append(read_analysis(node, decision))

    def _end(self) -> None:
        self._move_nothing()
        if self._beavered >= 0:
            raise RecordError("expected the beaver to be taken before the end")
        setup = self._setup.player
        state = self._begin(0 if setup is None else setup)
        result = self._game.result
        is_resigned = bool(self._actions) and isinstance(self._actions[-1], Resign)
        if self._header.is_resigned and result is not None and not is_resigned:
            resign = resignation(state, result)
            if resign is not None:
                self._act(resign, Node(()))


def _in_steps(play: Play, move: LegalMove | None) -> Play:
    """A play in the steps of its dice: some programs save one step for a checker moved twice."""
    if move is None or len(play.steps) == len(move.steps):
        return play
    return replace(play, steps=move.steps)


def _read_resignation(node: Node) -> Resign:
    match = _RESIGNATION.fullmatch(node.value("XR") or "")
    if match is None:
        raise RecordError(f"expected a resignation as W1 or B2, not {node.value('XR')!r}")
    return Resign(read_player(match[1]), int(match[2]))
