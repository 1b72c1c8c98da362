"""libwrap: access control by `hosts.allow` and `hosts.deny`, as for services of inetd.

The library is loaded only when it is needed: it may be missing.
"""

import ctypes
from collections.abc import Callable

LIBRARY = "libwrap.so.0"
UNKNOWN = b"unknown"


class LibwrapError(Exception):
    """The library cannot be used; the message gives the reason in one line."""


def load_libwrap(daemon: str, library: str = LIBRARY) -> Callable[[str], bool]:
    """Return a function that decides if a daemon of this name serves a peer's numeric address.

    The library reads the files anew for each call. Host names are not resolved: rules must name
    addresses and networks.

    Raises:
        LibwrapError: this system has no such library.
    """
    try:
        hosts_ctl = ctypes.CDLL(library).hosts_ctl
    except (OSError, AttributeError) as error:
        raise LibwrapError(
            f"--libwrap needs {library}, which this system lacks (Debian: libwrap0): {error}"
        ) from None
    hosts_ctl.argtypes = [ctypes.c_char_p] * 4
    hosts_ctl.restype = ctypes.c_int
    name = daemon.encode()

    def is_let_in(host: str) -> bool:
        return bool(hosts_ctl(name, UNKNOWN, host.encode("ascii", "replace"), UNKNOWN))

    return is_let_in
