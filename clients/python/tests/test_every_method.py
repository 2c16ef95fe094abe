"""
Goal: the client reaches every operation that the documents describe, by its method and path, with what the document names for it. Method: call
every method that the client has at a network that notes what it is asked, and compare with the documents. The generator is not used.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote

import httpx
import pytest
from conftest import Driver

import roadworthy as rw

DOCUMENTS = {"external": "external", "platform": "platform-v1", "sim_billing": "sim-billing", "engine": "engine"}
FOLDER = Path(__file__).parents[3] / "docs/openapi"
OPTIONS = {"timeout_s", "max_retries", "headers", "idempotency_key", "accept"}
# Payment gateways, phones and trackers call these, each with a secret and a form of its own.
CALLED_BY_OTHERS = re.compile(r"(POST /api/sim-billing/payments/callback/|(GET|POST) /api/external/ingest/)")

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the documents are in the repository, not in the package")


def _operations(surface: str) -> dict[str, Any]:
    document = json.loads((FOLDER / f"{DOCUMENTS[surface]}.json").read_text())
    routes = ((method.upper(), path, operation) for path, of in document["paths"].items() for method, operation in of.items())
    named = {f"{method} {re.sub(r'{[^}]+}', '{}', path)}": operation for method, path, operation in routes}
    return {name: operation for name, operation in named.items() if not CALLED_BY_OTHERS.match(name)}


def _methods(node: object) -> Iterator[Callable[..., Any]]:
    for name in dir(node):
        value = getattr(node, name)
        if name.startswith("_"):
            continue
        if callable(value):
            yield value
        else:
            yield from _methods(value)


def _arguments(method: Callable[..., Any]) -> tuple[list[Any], dict[str, Any]]:
    """A value for each parameter: `{}` in the path, a number in the query."""
    parameters = inspect.signature(method).parameters.values()
    positional = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    values: dict[str, Any] = {"body": {"x": 1}, "records": [{}], "points": [{}], "vehicles": [{}]}
    if any(each.name == "content_type" for each in parameters):
        values["body"] = b"bytes"
    named = {each.name: 7 for each in parameters if each.kind is each.KEYWORD_ONLY and each.name not in OPTIONS}
    return [values.get(name, "{}") for name in positional], {**named, **({"content_type": "image/png"} if "content_type" in named else {})}


@pytest.mark.parametrize("surface", DOCUMENTS)
def test_every_operation_is_reached_with_what_its_document_names(driver: Driver, surface: str) -> None:
    asked: list[httpx.Request] = []

    def note(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(418, json={"error": {"code": "noted", "message": "noted"}})

    transport = httpx.MockTransport(note)
    http = httpx.AsyncClient(transport=transport) if driver.is_async else httpx.Client(transport=transport)
    client = driver.client(http_client=http)
    expected = _operations(surface)
    reached = set[str]()
    for method in _methods(getattr(client, surface)):
        asked.clear()
        given, named = _arguments(method)
        with pytest.raises(rw.ValidationError):
            result = method(*given, **named)
            driver.get(result) if inspect.isawaitable(result) else driver.items(result)
        (request,) = asked
        name = f"{request.method} {unquote(request.url.path)}"
        reached.add(name)
        operation = expected[name]
        # What is shared by reference is a field of HTTP itself (If-None-Match), which a method has no argument for.
        parameters = {(each["in"], each["name"]) for each in operation.get("parameters", []) if "$ref" not in each}
        assert ("idempotency-key" in request.headers) == (("header", "Idempotency-Key") in parameters), name
        # An iteration sets the place to begin itself, and wants no other format.
        names = {each for place, each in parameters if place == "query"}
        left_out = {"after", "format"} if method.__name__.startswith("iterate") else set[str]()
        assert set(parse_qs(request.url.query.decode())) == names - left_out, name
        assert (request.content != b"") == ("requestBody" in operation), name
    assert reached == set(expected) and len(reached) > 15


def test_both_clients_have_the_same_methods() -> None:
    address: dict[str, Any] = {"base_url": "http://localhost", "engine_url": "http://localhost", "api_key": "rw_live_key"}
    clients: list[Any] = [made(**address) for made in (rw.Roadworthy, rw.AsyncRoadworthy)]
    for surface in DOCUMENTS:
        one, other = ([(method.__name__, _parameters(method)) for method in _methods(getattr(client, surface))] for client in clients)
        assert one == other
    clients[0].close()


def _parameters(method: Callable[..., Any]) -> list[tuple[str, object]]:
    return [(each.name, each.annotation) for each in inspect.signature(method).parameters.values()]
