from master.reports.texts import counted, printable, signed, unsigned


def test_equities_have_their_sign() -> None:
    assert [signed(0.5), signed(-0.25, 2), signed(0.0)] == ["+0.5000", "-0.25", "+0.0000"]


def test_what_is_not_known_takes_its_place() -> None:
    assert [unsigned(0.25), unsigned(None)] == ["0.2500", "     -"]


def test_a_name_cannot_steer_the_terminal() -> None:
    assert printable("A\x1b[2Jnn\u0000") == "A?[2Jnn?"
    assert printable("Zoë") == "Zoë"


def test_one_thing_is_counted_as_one() -> None:
    texts = [counted(count, "part") for count in (0, 1, 1200)]
    assert texts == ["0 parts", "1 part", "1,200 parts"]


def test_what_rounds_to_zero_has_no_minus() -> None:
    """Variance reduction gives chances of -0.00001."""
    assert (signed(-0.00001), signed(-0.0), signed(-0.0004, 3)) == ("+0.0000", "+0.0000", "+0.000")
    assert (unsigned(-0.00001), unsigned(-0.0001)) == ("0.0000", "-0.0001")
