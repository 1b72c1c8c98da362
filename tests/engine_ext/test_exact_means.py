from fractions import Fraction

from engine_ext.exact_means import mean, std_error


def test_mean_is_the_correctly_rounded_quotient() -> None:
    assert mean(10**30 + 1, 3) == float(Fraction(10**30 + 1, 3 << 32))


def test_error_of_equal_values_is_nought() -> None:
    assert std_error(5 * 7, 5 * 49, 5) == 0.0
