from protocol.messages import AnalyserHello, MasterHello
from protocol.session_secret import is_same_session, new_session_secret, public_session_id


def test_secret_is_128_random_bits_and_fits_the_wire() -> None:
    made = {new_session_secret() for _ in range(100)}
    assert len(made) == 100
    assert {len(secret) for secret in made} == {32}
    assert all(MasterHello(name="me", session=secret).session == secret for secret in made)


def test_public_id_is_that_of_the_specification() -> None:
    # printf 'manyply session s' | sha256sum
    assert public_session_id("s") == "09b99517d409d49d"
    assert AnalyserHello(name="a", cores=1, session=public_session_id("s")).session
    assert public_session_id("") == ""


def test_sessions_are_the_same_by_their_secret_and_never_without_one() -> None:
    assert is_same_session("s", "s")
    assert not is_same_session("s", "t")
    assert not is_same_session("", "")
