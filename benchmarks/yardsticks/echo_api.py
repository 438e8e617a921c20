"""A local API to call: every request is answered at once with a small JSON object. Usage: echo_api.py PORT."""

import asyncio
import sys

BODY = b'{"id":7,"name":"rex","tags":["a","b"]}'
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)


class Echo(asyncio.Protocol):
    """Answers each request head; the calls of the benchmark carry no body."""

    def connection_made(self, transport):
        """Keep the connection."""
        self.transport = transport
        self.waiting = b""

    def data_received(self, data):
        """Answer every head that is complete."""
        *heads, self.waiting = (self.waiting + data).split(b"\r\n\r\n")
        if heads:
            self.transport.write(ANSWER * len(heads))


async def main():
    server = await asyncio.get_running_loop().create_server(Echo, "127.0.0.1", int(sys.argv[1]))
    await server.serve_forever()


asyncio.run(main())
