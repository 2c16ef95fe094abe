"""What arrives in pieces: lines of JSON, and server-sent events. Fed with bytes as they come, by a thread or by an event loop."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, Protocol

from ._route import Route
from .errors import ConnectionError, UnexpectedAnswerError

MAX_LINE_CHARS = 16 * 1024 * 1024
"""More without an end of line is no stream of Roadworthy."""


class Decoder(Protocol):
    def feed(self, piece: bytes) -> Iterator[Any]: ...

    def finish(self) -> None:
        """The stream ended."""


class LineDecoder:
    """The JSON of each line."""

    def __init__(self, route: Route[Any]) -> None:
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._operation = route.operation

    def feed(self, piece: bytes) -> Iterator[Any]:
        *lines, self._rest = (self._rest + self._text.decode(piece)).split("\n")
        _check_length(self._rest, self._operation)
        for line in lines:
            if line.strip():
                yield _parse(line, f"A line is no JSON ({self._operation}).")

    def finish(self) -> None:
        # An answer that was cut off: its last line has no end.
        if self._rest.strip():
            raise ConnectionError(f"The answer was cut off ({self._operation}).", code="connection_failed")


class EventDecoder:
    """Server-sent events (WHATWG HTML §9.2.6). Comments are left out; a message that was cut off is dropped, as the standard has it."""

    _END_OF_LINE = re.compile(r"\r\n|\n|\r(?!\Z)")
    _FIELD = re.compile(r"([^:]*):? ?(.*)", re.DOTALL)

    def __init__(self, route: Route[Any]) -> None:
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._operation = route.operation
        self._type, self._data, self._id = "message", list[str](), ""
        self.last_id: str | None = None
        """Where to go on after a cut."""
        self.count = 0

    def restart(self) -> None:
        """Another connection begins with a message of its own."""
        self._text.reset()
        self._rest, self._type, self._data, self._id, self.count = "", "message", [], "", 0

    def feed(self, piece: bytes) -> Iterator[dict[str, Any]]:
        *lines, self._rest = self._END_OF_LINE.split(self._rest + self._text.decode(piece))
        _check_length(self._rest, self._operation)
        for line in lines:
            if line:
                self._read_field(line)
                continue
            if self._data:
                self.count += 1
                self.last_id = self._id or self.last_id
                data = _parse("\n".join(self._data), f"A message is no JSON ({self._operation}).")
                yield {"type": self._type, "id": self._id, "data": data}
            self._type, self._data = "message", []

    def finish(self) -> None:
        raise ConnectionError(f"The stream ended ({self._operation}).", code="connection_failed")

    def _read_field(self, line: str) -> None:
        found = self._FIELD.fullmatch(line)
        name, value = (found[1], found[2]) if found else ("", "")
        if name == "event":
            self._type = value
        elif name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value


def _check_length(rest: str, operation: str) -> None:
    if len(rest) > MAX_LINE_CHARS:
        raise UnexpectedAnswerError(f"A line is longer than {MAX_LINE_CHARS} characters ({operation}).", code="unexpected_answer")


def _parse(text: str, refusal: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    # Outside of the handler: an error of `json` holds the text.
    raise UnexpectedAnswerError(refusal, code="unexpected_answer")
