"""Why a connection could not be made, in words for people."""

import os
import ssl


def reason_of(error: OSError) -> str:
    """Return the reason, without the address that asyncio repeats."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not accepted: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        words = (error.reason or "unknown").lower().replace("_", " ")
        return f"the TLS handshake failed: {words}"
    if error.errno is not None and error.errno > 0:
        return os.strerror(error.errno)
    return error.strerror or str(error) or "the connection broke"  # resolvers have no errno > 0
