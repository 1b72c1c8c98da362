"""libwrap: `hosts.allow` and `hosts.deny`, as inetd's services have always obeyed them.

Knows the library's one function.  The library is loaded when it is asked for: it may be missing.
"""

import ctypes
from collections.abc import Callable

LIBRARY = "libwrap.so.0"
UNKNOWN = b"unknown"


class LibwrapError(Exception):
    """The library cannot be used; says why in one line."""


def load_libwrap(daemon: str, library: str = LIBRARY) -> Callable[[str], bool]:
    """Return what decides whether a daemon of this name serves a peer's numeric address.

    The files are read anew at each question, as the library does.  Names of hosts are not looked
    up: rules name addresses and networks.

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
