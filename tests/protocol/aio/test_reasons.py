"""Reasons are words, and say nothing twice."""

import socket
import ssl

import pytest

from protocol.aio.reasons import reason_of


def distrusted() -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_message = "certificate has expired"
    return error


def wrong_version() -> ssl.SSLError:
    error = ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER]")
    error.reason = "WRONG_VERSION_NUMBER"
    return error


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(98, "error while attempting to bind on ..."), "Address already in use"),
        (socket.gaierror(-2, "Name or service not known"), "Name or service not known"),
        (TimeoutError("no answer from attic:1 in 10 s"), "no answer from attic:1 in 10 s"),
        (distrusted(), "its certificate is not accepted: certificate has expired"),
        (wrong_version(), "the TLS handshake failed: wrong version number"),
        (ConnectionResetError(), "the connection broke"),
    ],
)
def test_reason_is_said_once_and_in_words(error: OSError, reason: str) -> None:
    assert reason_of(error) == reason
