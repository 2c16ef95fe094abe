"""Goal: a list is read to its end, a line and a message as it comes, and nothing that is cut off is taken for whole."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import Driver
from fault_server import Answer, Handler, Seen, raw, refuse, reply, reset

import roadworthy as rw
from roadworthy._route import Route
from roadworthy._streams import EventDecoder, LineDecoder


def _page(names: list[str], cursor: str | None) -> Answer:
    pagination = {"endCursor": cursor, "hasNextPage": cursor is not None}
    return reply(200, {"total": 9, "devices": [{"id": name} for name in names], "pagination": pagination})


def test_the_items_of_every_page_are_read(driver: Driver) -> None:
    client = driver.client()
    driver.server.answer(_page(["a", "b"], "c 1"), refuse(503, "draining"), _page([], "c 2"), _page(["c"], None))
    found = driver.items(client.external.devices.iterate(status="active", limit=2))
    assert [device["id"] for device in found] == ["a", "b", "c"]
    query = "/api/external/devices?status=active&limit=2"
    assert [seen.url for seen in driver.server.seen] == [query, *[f"{query}&after=c+1"] * 2, f"{query}&after=c+2"]


def test_a_page_is_fetched_when_the_one_before_is_read(driver: Driver) -> None:
    driver.server.answer(_page(["a", "b"], "c1"))
    iterator = driver.client().external.devices.iterate()
    assert driver.server.seen == []
    assert len(driver.items(iterator, 2)) == 2
    assert len(driver.server.seen) == 1


def test_a_list_that_goes_round_and_one_that_is_none_are_errors(driver: Driver) -> None:
    client = driver.client()
    driver.server.answer(_page(["a"], "c1"), _page(["b"], "c2"), _page(["a"], "c1"))
    with pytest.raises(rw.UnexpectedAnswerError, match="read already"):
        driver.items(client.external.devices.iterate(), 10)
    wrong: tuple[object, ...] = ({"total": 0}, [], None, {"devices": {}})
    for answer in wrong:
        driver.server.answer(reply(200, answer))
        with pytest.raises(rw.UnexpectedAnswerError, match='no array "devices"|no object with fields'):
            driver.items(client.external.devices.iterate())


def test_a_list_that_goes_on_without_saying_where_is_an_error(driver: Driver) -> None:
    pagination = {"endCursor": None, "hasNextPage": True}
    page = reply(200, {"total": 9, "devices": [{"id": "a"}], "pagination": pagination})
    driver.server.answer(page, page)
    client = driver.client()
    # The items that came are read first.
    assert [device["id"] for device in driver.items(client.external.devices.iterate(), 1)] == ["a"]
    with pytest.raises(rw.UnexpectedAnswerError, match="not complete"):
        driver.items(client.external.devices.iterate())


def test_lines_are_read_as_they_come_and_one_that_is_cut_off_is_an_error(driver: Driver) -> None:
    client = driver.client()
    lines = "".join(f'{json.dumps({"deviceId": f"dev-{i}"})}\n' for i in range(3))
    driver.server.answer(refuse(503, "draining"), raw(200, "application/x-ndjson", lines))
    assert [position["deviceId"] for position in driver.items(client.platform.fleet.positions())] == ["dev-0", "dev-1", "dev-2"]
    driver.server.answer(raw(200, "application/x-ndjson", lines[:-4]))
    with pytest.raises(rw.ConnectionError, match="cut off"):
        driver.items(client.platform.fleet.positions())
    driver.server.answer(raw(200, "application/x-ndjson", "<html>\n"))
    with pytest.raises(rw.UnexpectedAnswerError, match="A line is no JSON"):
        driver.items(client.platform.fleet.positions())
    driver.server.answer(_less_than_announced)
    with pytest.raises(rw.ConnectionError) as found:
        driver.items(client.platform.fleet.positions())
    assert found.value.__context__ is None


def _less_than_announced(handler: Handler, seen: Seen) -> None:
    handler.send_response_only(200)
    handler.send_header("content-type", "application/x-ndjson")
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"deviceId":"dev-1"}\n')
    handler.close_connection = True


def _events(*ids: int) -> Answer:
    text = "".join(f'id: {i}\nevent: event\ndata: {{"id":"evt-{i}"}}\n\n' for i in ids)
    return raw(200, "text/event-stream", f": hello\n\n{text}id: 99\ndata: {{")


def test_a_stream_goes_on_after_a_cut_where_it_was(driver: Driver) -> None:
    client = driver.client()
    driver.server.answer(_events(1, 2), reset, _events(3), _events())
    found: list[Any] = []
    with pytest.raises(rw.ConnectionError):
        found = driver.items(client.platform.stream.follow(vehicles="true", max_retries=2), 3)
        driver.server.answer(_events())
        driver.items(client.platform.stream.follow(max_retries=2))
    assert [(message["type"], message["id"], message["data"]) for message in found] == [
        ("event", str(i), {"id": f"evt-{i}"}) for i in (1, 2, 3)
    ]
    # Nothing came at three connections in a row.
    assert len(driver.server.seen) == 3


def test_a_stream_asks_for_what_came_after_its_last_message(driver: Driver) -> None:
    driver.server.answer(_events(1, 2), _events(3))
    assert len(driver.items(driver.client().platform.stream.follow(), 3)) == 3
    assert [seen.url for seen in driver.server.seen] == ["/api/v1/stream", "/api/v1/stream?lastEventId=2"]
    assert driver.server.seen[0].headers["accept"] == "text/event-stream"


def test_a_proxy_without_a_service_behind_it_is_a_cut_and_not_the_end(driver: Driver) -> None:
    away = refuse(503, "unavailable")
    driver.server.answer(_events(1), away, away, refuse(502, "http_502"), _events(2), away)
    follow = driver.client().platform.stream.follow(max_retries=2)
    found: list[Any] = []
    with pytest.raises(rw.ServerError) as caught:
        found.extend(driver.items(follow, 2))
        driver.items(driver.client().platform.stream.follow(max_retries=2))
    assert [message["id"] for message in found] == ["1", "2"]
    assert caught.value.status == 503


def test_a_refused_stream_is_an_error_at_once(driver: Driver) -> None:
    driver.server.answer(refuse(401, "invalid_api_key"))
    with pytest.raises(rw.AuthenticationError):
        driver.items(driver.client().platform.stream.follow())
    assert len(driver.server.seen) == 1


ROUTE: Route[Any] = Route("GET", "/api/v1/stream", answers=("events",))


def test_messages_are_read_as_the_standard_has_it_at_any_cut_of_the_text() -> None:
    text = ': hello\n\nid: 1\nevent: a\ndata: ["Müller 東京",\ndata:  2]\n\ndata: 0\nid\nretry: 5\n\nid: 2\n\ndata: cut'
    for end in ("\n", "\r\n", "\r"):
        sent = text.replace("\n", end).encode()
        for pieces in ([sent], [sent[i : i + 1] for i in range(len(sent))]):
            decoder = EventDecoder(ROUTE)
            found = [message for piece in pieces for message in decoder.feed(piece)]
            assert found == [{"type": "a", "id": "1", "data": ["Müller 東京", 2]}, {"type": "message", "id": "", "data": 0}]
            assert decoder.last_id == "1"


def test_a_line_without_an_end_is_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roadworthy._streams.MAX_LINE_CHARS", 100)
    for decoder in (LineDecoder(ROUTE), EventDecoder(ROUTE)):
        with pytest.raises(rw.UnexpectedAnswerError, match="longer than 100 characters"):
            for _ in range(3):
                list(decoder.feed(b"x" * 50))


def test_answers_that_are_no_json_are_text_or_bytes(driver: Driver) -> None:
    client = driver.client()
    driver.server.answer(raw(200, "text/csv; charset=utf-8", "a,ü\r\n"))
    assert driver.get(client.external.usage.get(format="csv", from_="2026-01")) == "a,ü\r\n"
    assert driver.server.seen[0].url == "/api/external/usage?from=2026-01&format=csv"
    driver.get(client.platform.devices.import_({"devices": []}, accept="text/csv"))
    assert driver.server.seen[1].headers["accept"] == "text/csv"
    driver.server.answer(raw(200, "application/pdf", b"%PDF\xff"))
    assert driver.get(client.sim_billing.invoices.get_pdf("inv-1")) == b"%PDF\xff"


def test_bytes_are_sent_as_they_are_with_their_type(driver: Driver) -> None:
    client = driver.client()
    driver.server.answer(reset, reply(200, {"brand": {}}))
    driver.get(client.platform.brands.put_logo_of_reseller(b"\x89PNG", content_type="image/png"))
    driver.server.answer(driver.server.take(driver.server.seen[0]))
    driver.get(client.engine.inference.infer("linear", b"\x00\x01"))
    driver.get(client.engine.inference.infer("linear", {"inputs": []}))
    assert [seen.headers["content-type"] for seen in driver.server.seen] == ["application/octet-stream", "application/json"]
    assert driver.server.seen[0].body == b"\x00\x01"
