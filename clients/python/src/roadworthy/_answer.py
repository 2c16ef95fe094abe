"""How a 200 is read, by its type and by what the route may answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

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
    found: object
    try:
        found = json.loads(answer.body)
    except (ValueError, RecursionError) as error:
        # Without the text, which an error of `json` holds.
        found, what = None, f"the answer is no JSON: {type(error).__name__} at {getattr(error, 'pos', '?')}"
    else:
        # Every answer of the service is an object with fields. A proxy or another server that answers `{}` has stored nothing.
        what = "the answer is no object with fields. Is this the address of Roadworthy?"
    if isinstance(found, dict) and found:
        return found
    raise _unexpected(f"{answer.status}: {what} ({route.operation}).", answer, redact)


def _unexpected(message: str, answer: Answer, redact: Callable[[str], str]) -> UnexpectedAnswerError:
    request_id = answer.headers.get("x-request-id")
    return UnexpectedAnswerError(
        message,
        code="unexpected_answer",
        status=answer.status,
        request_id=None if request_id is None else redact(request_id),
    )


class Page(NamedTuple):
    items: list[Any]
    has_next: bool
    cursor: object
    """Where the next page begins, as it was answered."""


def page_of(answer: object, items: str) -> Page:
    found = answer.get(items) if isinstance(answer, Mapping) else None
    if not isinstance(answer, Mapping) or not isinstance(found, list):
        raise UnexpectedAnswerError(f'The answer has no array "{items}".', code="unexpected_answer")
    pagination = answer.get("pagination")
    if not isinstance(pagination, Mapping):
        return Page(found, has_next=False, cursor=None)
    return Page(found, pagination.get("hasNextPage") is True, pagination.get("endCursor"))


class Cursors:
    """A list that goes round in circles would never end, and never be complete either; one that goes on without saying where is not."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def check(self, cursor: object) -> str:
        if not isinstance(cursor, str):
            raise UnexpectedAnswerError("The list goes on, and the answer does not say where: it is not complete.", code="missing_cursor")
        if cursor in self._seen:
            raise UnexpectedAnswerError("The list came back to a page that was read already.", code="repeated_cursor")
        self._seen.add(cursor)
        return cursor
