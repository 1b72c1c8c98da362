"""The control socket: clients of this machine's user send requests to the master, in lines.

The socket is only its owner's (mode 0600, in a directory of mode 0700 if made here); every process
that may open it may do everything.
"""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from master.config.paths import SOCKET_PATH_BYTES_MAX
from master.contract.errors import MasterError
from master.contract.job_words import Priority
from master.contract.master import Master
from master.control.translation import from_submit, to_analyser, to_shown, to_update
from master.control.visits import ClientVisit
from protocol.aio import Link, Listener, serve_socket
from protocol.aio.descriptors import is_for_owner
from protocol.control import (
    REQUEST_TYPES,
    Answered,
    Ask,
    AskedQuestion,
    Attach,
    Control,
    Extend,
    Forget,
    Halt,
    HelpRequest,
    Jobs,
    Ok,
    Prioritise,
    Request,
    Resume,
    Said,
    Show,
    StatusRequest,
    Submit,
    WhoRequest,
)
from protocol.events import LinkEvent, MessageReceived
from protocol.intake import TURN_LINES
from protocol.messages import Message, to_text
from protocol.sides.control import ControlSide
from protocol.usage import usage


class ControlServer:
    """Serves the clients of one control socket."""

    def __init__(self, service: Master, name: str, state_dir: Path | None = None) -> None:
        """Serve with a service.

        Args:
            service: does the work.
            name: this master's.
            state_dir: where it keeps its jobs and fleets; None: clients need not know.
        """
        self._service = service
        self._name = to_text(name, 64)
        self._state_dir = "" if state_dir is None else str(state_dir.absolute())
        self.listens = ""
        """HOST:PORT where analysers dial in; empty: nowhere."""
        self.web = ""
        """URL of the master's page; empty: there is none."""
        self._listener: Listener
        self._path: Path
        self._answers: dict[type[Request], Callable[..., Awaitable[None]]] = {
            Submit: self._submit,
            Jobs: self._jobs,
            Show: self._show,
            Attach: self._attach,
            Resume: self._resume,
            Extend: self._extend,
            Halt: self._halt,
            Prioritise: self._prioritise,
            Forget: self._forget,
            WhoRequest: self._who,
            StatusRequest: self._status,
        }
        self._answers_now: dict[type[Request], Callable[..., None]] = {HelpRequest: self._help}

    async def start(self, path: Path) -> None:
        """Listen; a socket that a killed master left behind is replaced.

        Raises:
            MasterError: the socket cannot be made, or another master serves it.
        """
        self._path = path
        sock = await asyncio.to_thread(_bound_socket, path)
        self._listener = await serve_socket(sock, ControlSide, self._serve, may_keep=is_for_owner)

    async def close(self) -> None:
        """Listen no more, and leave all clients."""
        self._path.unlink(missing_ok=True)
        await self._listener.aclose()

    async def _serve(self, link: Link) -> None:
        async def answer(request: Request, questions: tuple[str, ...]) -> None:
            if isinstance(request, Ask):
                await self._ask(link, request, questions)
            else:
                await self._answers[type(request)](link, request)

        def answer_now(request: Request) -> bool:
            send = self._answers_now.get(type(request))
            if send is not None:
                send(link, request)
            return send is not None

        def receive(events: list[LinkEvent]) -> None:
            for event in events:
                if isinstance(event, MessageReceived):
                    visit.receive(event.message)

        visit = ClientVisit(link, answer, answer_now)
        link.send(
            Control(
                name=self._name,
                pid=os.getpid(),
                state=self._state_dir or None,
                listens=self.listens or None,
                web=self.web or None,
            )
        )
        try:
            await link.deliver(receive)
        finally:
            await visit.leave()

    async def _ask(self, link: Link, request: Ask, questions: tuple[str, ...]) -> None:
        """Answer questions; an answer waits while the client reads slowly, the work does not."""
        answers: asyncio.Queue[tuple[int, str] | None] = asyncio.Queue()  # as many as questions
        call = asyncio.create_task(
            self._service.ask(
                questions,
                priority=Priority[request.priority.upper()],
                on_answer=lambda index, text: answers.put_nowait((index, text)),
            )
        )
        call.add_done_callback(lambda _: answers.put_nowait(None))
        try:
            while (answer := await answers.get()) is not None:
                index, text = answer
                link.send(Answered(request=request.request, index=index, text=text))
                await link.drain()
            await call
        finally:
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
        link.send(Ok(request=request.request))

    async def _submit(self, link: Link, request: Submit) -> None:
        job = await self._service.submit(from_submit(request))
        link.send(Ok(request=request.request, job=job))

    async def _jobs(self, link: Link, request: Jobs) -> None:
        for view in await self._service.jobs():
            await _send_in_turns(link, to_shown(request.request, view))
        link.send(Ok(request=request.request))

    async def _show(self, link: Link, request: Show) -> None:
        view = await self._service.show(request.job)
        link.send(*to_shown(request.request, view), Ok(request=request.request, job=request.job))

    async def _attach(self, link: Link, request: Attach) -> None:
        async for update in self._service.subscribe(request.job, request.interval_s):
            await _send_in_turns(link, to_update(request.request, update))
        link.send(Ok(request=request.request, job=request.job))

    async def _resume(self, link: Link, request: Resume) -> None:
        await self._service.resume(request.job)
        link.send(Ok(request=request.request, job=request.job))

    async def _extend(self, link: Link, request: Extend) -> None:
        await self._service.extend(request.job, request.extra)
        link.send(Ok(request=request.request, job=request.job))

    async def _halt(self, link: Link, request: Halt) -> None:
        await self._service.halt(request.job)
        link.send(Ok(request=request.request, job=request.job))

    async def _prioritise(self, link: Link, request: Prioritise) -> None:
        await self._service.prioritise(request.job, Priority[request.priority.upper()])
        link.send(Ok(request=request.request, job=request.job))

    async def _forget(self, link: Link, request: Forget) -> None:
        await self._service.forget(request.job)
        link.send(Ok(request=request.request, job=request.job))

    async def _status(self, link: Link, request: StatusRequest) -> None:
        for line in await self._service.status():
            text = to_text(line.encode("ascii", "replace").decode("ascii"))
            link.send(Said(request=request.request, text=text))
        link.send(Ok(request=request.request))

    async def _who(self, link: Link, request: WhoRequest) -> None:
        lines = await self._service.who()
        await _send_in_turns(link, [to_analyser(request.request, line) for line in lines])
        link.send(Ok(request=request.request))

    def _help(self, link: Link, request: HelpRequest) -> None:
        kinds: tuple[type[Message], ...] = (*REQUEST_TYPES, AskedQuestion)
        lines = [Said(request=request.request, text=usage(kind).text) for kind in kinds]
        link.send(*lines, Ok(request=request.request))


async def _send_in_turns(link: Link, messages: Sequence[Message]) -> None:
    """Send a long reply piece by piece, as fast as the client reads, between the loop's turns."""
    for first in range(0, len(messages), TURN_LINES):
        link.send(*messages[first : first + TURN_LINES])
        await link.drain()


def _bound_socket(path: Path) -> socket.socket:
    """Return a socket bound to the path, only its owner's."""
    if len(os.fsencode(path)) > SOCKET_PATH_BYTES_MAX:
        raise MasterError(f"control socket {path}: the path is too long for a socket")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _remove_stale(path)
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        mask = os.umask(0o177)
        try:
            sock.bind(os.fspath(path))
        except BaseException:
            sock.close()
            raise
        finally:
            os.umask(mask)
        return sock
    except OSError as error:
        raise MasterError(f"control socket {path}: {error.strerror or error}") from None


def _remove_stale(path: Path) -> None:
    """Remove a socket without a listener; MasterError if it has one."""
    if not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(os.fspath(path))
        except (ConnectionRefusedError, FileNotFoundError):
            path.unlink(missing_ok=True)
            return
    raise MasterError(f"control socket {path}: another master is running")
