"""Any chances of a game, from either side, and any cube efficiency, for the law tests."""

from hypothesis import strategies as st

efficiencies = st.floats(0.0, 1.0)


@st.composite
def all_probs(draw: st.DrawFn, win_min: float = 0.0) -> tuple[float, ...]:
    """Cumulative probabilities; either side wins with `win_min` at least."""
    win = draw(st.floats(win_min, 1.0 - win_min))
    shares = [draw(st.floats(0.0, 1.0)) for _ in range(4)]
    win_g, lose_g = win * shares[0], (1.0 - win) * shares[2]
    return (win, win_g, win_g * shares[1], lose_g, lose_g * shares[3])


def inverted(probs: tuple[float, ...]) -> tuple[float, ...]:
    """Return cumulative probabilities as the opponent sees them."""
    return (1 - probs[0], probs[3], probs[4], probs[1], probs[2])
