"""The asyncio shells of the protocol: TCP, pipes, inherited sockets, in-process pairs."""

from protocol.aio.event_loop import new_runner
from protocol.aio.inherited import Inherited, InheritedKind, inherited
from protocol.aio.link import Link
from protocol.aio.listener import Listener
from protocol.aio.memory import memory_pair
from protocol.aio.pipes import CommandLink, from_pipes, open_command, open_stdio
from protocol.aio.tcp import connect_tcp, from_socket, serve_socket, serve_tcp

__all__ = [
    "CommandLink",
    "Inherited",
    "InheritedKind",
    "Link",
    "Listener",
    "connect_tcp",
    "from_pipes",
    "from_socket",
    "inherited",
    "memory_pair",
    "new_runner",
    "open_command",
    "open_stdio",
    "serve_socket",
    "serve_tcp",
]
