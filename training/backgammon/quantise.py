"""Turn a trained net into the integers of a net file.

Knows the scales of net_kernel.h.  The rows are rounded as cumulative sums, so
that a slot of fifteen checkers is as exact as a slot of one.
"""

import math
from array import array

import numpy as np
from numpy.typing import NDArray

from engine_ext.backgammon.net_file import TABLE_ENTRIES, NetArrays, NetError

Weights = dict[str, NDArray[np.float32]]

ACCUMULATOR_ONE = 255
PRODUCT_ONE = ACCUMULATOR_ONE**2 / 512
HIDDEN1_WEIGHT_ONE = 128
OUTER_WEIGHT_ONE = 1024
HIDDEN_ONE = PRODUCT_ONE * HIDDEN1_WEIGHT_ONE / 16
LOGIT_ONE = HIDDEN_ONE * OUTER_WEIGHT_ONE
TABLE_STEP = 2**15


def _integers(numbers: NDArray[np.float64], code: str, what: str) -> "array[int]":
    """Round to an array of type `code`; NetError if a number does not fit."""
    rounded = np.rint(numbers)
    top = 2 ** (8 * array(code).itemsize - 1) - 1
    if np.abs(rounded).max() > top:
        raise NetError(f"{what}: {np.abs(numbers).max():.0f} is beyond {top}")
    return array(code, rounded.astype(np.int64).ravel().tolist())


def _thermometer_rows(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round cumulative rows at the accumulator's scale, and take differences again."""
    width = rows.shape[1]
    cumulative = np.rint(rows.reshape(52, 15, width).cumsum(1) * ACCUMULATOR_ONE)
    return np.asarray(np.diff(cumulative, axis=1, prepend=0).reshape(-1, width))


def logistic_table() -> "array[int]":
    """Return 65536 / (1 + exp(-logit)) at the table's logits, made here once and shipped."""
    middle = TABLE_ENTRIES // 2
    logits = [(i - middle) * TABLE_STEP / LOGIT_ONE for i in range(TABLE_ENTRIES)]
    return array("i", [round(65536 / (1 + math.exp(-logit))) for logit in logits])


def quantise(weights: Weights) -> NetArrays:
    """Round a trained net; NetError if its weights leave the integers' range."""
    exact = {name: np.asarray(numbers, np.float64) for name, numbers in weights.items()}
    hidden1_one = PRODUCT_ONE * HIDDEN1_WEIGHT_ONE
    # The half steps make the kernel's right shifts round to nearest.
    return NetArrays(
        width=exact["rows"].shape[1],
        rows=_integers(_thermometer_rows(exact["rows"]), "h", "rows"),
        accumulator_bias=_integers(
            exact["accumulator_bias"] * ACCUMULATOR_ONE, "h", "accumulator bias"
        ),
        hidden1=_integers(exact["hidden1"] * HIDDEN1_WEIGHT_ONE, "b", "hidden1"),
        hidden1_bias=_integers(exact["hidden1_bias"] * hidden1_one + 8, "i", "hidden1 bias"),
        hidden2=_integers(exact["hidden2"] * OUTER_WEIGHT_ONE, "h", "hidden2"),
        hidden2_bias=_integers(exact["hidden2_bias"] * LOGIT_ONE + 512, "i", "hidden2 bias"),
        output=_integers(exact["output"] * OUTER_WEIGHT_ONE, "h", "output"),
        output_bias=_integers(exact["output_bias"] * LOGIT_ONE, "i", "output bias"),
        table=logistic_table(),
    )
