"""A server for tests that answers in turn what it was given, also what no good server does: it resets, is silent, and ends too early."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Seen:
    method: str
    url: str
    headers: Mapping[str, str]
    """Names in small letters."""
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class FaultServer:
    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self._answers: list[Answer] = []
        self._lock = threading.Lock()
        self._is_over = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answer(self, *answers: Answer) -> None:
        """What the next requests are answered, in order. The last is repeated."""
        with self._lock:
            self._answers = list(answers)
            self.seen.clear()

    def take(self, seen: Seen) -> Answer:
        with self._lock:
            self.seen.append(seen)
            return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    def wait_until_over(self) -> None:
        self._is_over.wait()

    def stop(self) -> None:
        self._is_over.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class Handler(BaseHTTPRequestHandler):
    fault_server: FaultServer
    protocol_version = "HTTP/1.1"
    # Else each answer waits for an acknowledgement of its headers.
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: a failing test shows what was seen."""

    def respond(self) -> None:
        length = int(self.headers.get("content-length", "0"))
        headers = {name.lower(): value for name, value in self.headers.items()}
        seen = Seen(self.command, self.path, headers, self.rfile.read(length))
        self.fault_server.take(seen)(self, seen)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = respond

    def reset(self) -> None:
        # Closing with a linger of 0 s sends RST instead of FIN. The file objects on the socket keep it open.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.shutdown(socket.SHUT_RD)
        self.close_connection = True


def _handler_of(server: FaultServer) -> type[Handler]:
    return type("BoundHandler", (Handler,), {"fault_server": server})


Answer = Callable[[Handler, Seen], None]


def raw(status: int, kind: str, body: bytes | str, headers: Mapping[str, str] | None = None) -> Answer:
    content = body.encode() if isinstance(body, str) else body

    def answer(handler: Handler, seen: Seen) -> None:
        handler.send_response_only(status)
        for name, value in {"content-type": kind, **(headers or {})}.items():
            handler.send_header(name, value)
        handler.send_header("content-length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return answer


def reply(status: int, body: object, headers: Mapping[str, str] | None = None) -> Answer:
    return raw(status, "application/json; charset=utf-8", json.dumps(body), headers)


def refuse(status: int, code: str, more: Mapping[str, object] | None = None, headers: Mapping[str, str] | None = None) -> Answer:
    error = {"code": code, "message": f"refused as {code}.", "request_id": "req-1", **(more or {})}
    return reply(status, {"success": False, "error": error}, headers)


def reset(handler: Handler, seen: Seen) -> None:
    """Of the connection, before an answer."""
    handler.reset()


def silence(handler: Handler, seen: Seen) -> None:
    """No answer at all."""
    handler.fault_server.wait_until_over()
    handler.close_connection = True


def cut_off(handler: Handler, seen: Seen) -> None:
    """Less than was announced."""
    handler.send_response_only(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"total":')
    handler.close_connection = True
