"""How a 200 is read, by its type and by what the route may answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from ._route import Route
from ._send import Answer
from .errors import UnexpectedAnswerError

_JSON_TYPE = re.compile(r"application/([\w.-]+\+)?json\b", re.IGNORECASE)
_TEXT_TYPE = re.compile(r"text/|application/xml\b|.*\+xml\b|application/x-ndjson\b", re.IGNORECASE)


def read_answer(answer: Answer, route: Route[Any], redact: Callable[[str], str]) -> Any:
    # A server may repeat what it was sent, and tools that collect errors show local variables.
    kind = redact(answer.headers.get("content-type", ""))
    if _JSON_TYPE.match(kind) and "json" in route.answers:
        return parse_json(answer, route, redact)
    if _TEXT_TYPE.match(kind) and "text" in route.answers:
        return answer.body.decode(errors="replace")
    if "bytes" in route.answers:
        return answer.body
    raise _unexpected(
        f"{answer.status}: the answer is not JSON but {kind or 'without a type'} ({route.operation}). Is this the address of Roadworthy?",
        answer,
        redact,
    )


def parse_json(answer: Answer, route: Route[Any], redact: Callable[[str], str]) -> Any:
    try:
        return json.loads(answer.body)
    except (ValueError, RecursionError) as error:
        # Without the text, which an error of `json` holds.
        reason = f"{type(error).__name__} at {getattr(error, 'pos', '?')}"
    raise _unexpected(f"{answer.status}: the answer is no JSON: {reason} ({route.operation}).", answer, redact)


def _unexpected(message: str, answer: Answer, redact: Callable[[str], str]) -> UnexpectedAnswerError:
    request_id = answer.headers.get("x-request-id")
    return UnexpectedAnswerError(
        message,
        code="unexpected_answer",
        status=answer.status,
        request_id=None if request_id is None else redact(request_id),
    )


def page_of(answer: object, items: str) -> tuple[list[Any], str | None]:
    """The items of a page, and where the next begins; None after the last."""
    found = answer.get(items) if isinstance(answer, Mapping) else None
    if not isinstance(answer, Mapping) or not isinstance(found, list):
        raise UnexpectedAnswerError(f'The answer has no array "{items}".', code="unexpected_answer")
    pagination = answer.get("pagination")
    if not isinstance(pagination, Mapping) or not pagination.get("hasNextPage"):
        return found, None
    cursor = pagination.get("endCursor")
    return found, cursor if isinstance(cursor, str) else None


class Cursors:
    """A list that goes round in circles would never end, and never be complete either."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def check(self, cursor: str) -> str:
        if cursor in self._seen:
            raise UnexpectedAnswerError("The list came back to a page that was read already.", code="repeated_cursor")
        self._seen.add(cursor)
        return cursor
