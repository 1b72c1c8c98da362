"""The rules of Threes! written plainly: 16 numbers of cards, 0 for none, row by row."""

from hypothesis import strategies as st

from engine_ext.threes.board import ThreesBoard, rank_of

Cards = tuple[int, ...]

LARGEST = 12288
CARDS = (1, 2, *(3 * 2**doubled for doubled in range(13)))


def board_of(cards: Cards) -> ThreesBoard:
    ranks = [rank_of(card) if card else 0 for card in cards]
    return ThreesBoard(sum(rank << (4 * square) for square, rank in enumerate(ranks)))


def squares_of_lines(direction: str) -> list[list[int]]:
    """Return the squares of each line, from the edge on that cards move to."""
    rows = [[4 * row + column for column in range(4)] for row in range(4)]
    columns = [[4 * row + column for row in range(4)] for column in range(4)]
    lines = rows if direction in ("left", "right") else columns
    return lines if direction in ("up", "left") else [line[::-1] for line in lines]


def is_merged(near: int, behind: int) -> bool:
    if near in (1, 2) or behind in (1, 2):
        return near + behind == 3 and near * behind > 0
    return near == behind and 0 < near < LARGEST


def pushed(line: list[int]) -> list[int]:
    """Return a line of cards moved to its first square."""
    for place in range(3):
        near, behind = line[place], line[place + 1]
        if near == 0 or is_merged(near, behind):
            return [*line[:place], near + behind, *line[place + 2 :], 0]
    return line


def after(cards: Cards, direction: str) -> Cards:
    """Return the board before a card enters."""
    found = list(cards)
    for squares in squares_of_lines(direction):
        for square, card in zip(squares, pushed([cards[each] for each in squares]), strict=True):
            found[square] = card
    return tuple(found)


def entry(cards: Cards, direction: str) -> Cards:
    """Return the last squares of the lines that a move changes."""
    moved = after(cards, direction)
    return tuple(sorted(
        squares[-1] for squares in squares_of_lines(direction)
        if any(cards[square] != moved[square] for square in squares)
    ))  # fmt: skip


def score(cards: Cards) -> int:
    points = 0
    for card in cards:
        if card >= 3:
            doubled = 0
            while 3 * 2**doubled < card:
                doubled += 1
            points += 3 ** (doubled + 1)
    return points


def turned(cards: Cards) -> Cards:
    """Return a board turned by a quarter, its upper edge to the right."""
    return tuple(cards[4 * (3 - column) + row] for row in range(4) for column in range(4))


def mirrored(cards: Cards) -> Cards:
    """Return a board with its left edge to the right."""
    return tuple(cards[4 * row + 3 - column] for row in range(4) for column in range(4))


few_kinds = st.sampled_from([(0, 1, 2, 3), (0, 0, 1, 2, 3, 6), (0, 3, 6), (1, 2, 3, 6, LARGEST)])
"""Of few kinds of cards many merge."""

cards_of_boards = st.one_of(
    st.lists(st.sampled_from((0, *CARDS)), min_size=16, max_size=16).map(tuple),
    few_kinds.flatmap(
        lambda kinds: st.lists(st.sampled_from(kinds), min_size=16, max_size=16).map(tuple)
    ),
)
