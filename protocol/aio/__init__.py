"""The asyncio shells of the protocol: TCP, pipes, inherited sockets, in-process pairs."""
