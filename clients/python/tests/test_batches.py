"""Goal: any number of records is sent as if the API took it, and after a failure it is known of each record whether it was sent."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest
from conftest import Driver
from fault_server import Handler, Seen, refuse, reply, reset

import roadworthy as rw
from roadworthy._batches import split_items
from roadworthy._route import Batch


def _records(seen: Seen) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = seen.json()["records"]
    return records


def _numbered(count: int, name: str = "truck") -> list[dict[str, Any]]:
    return [{"vehicle_id": f"{name}-{i}"} for i in range(count)]


class Store:
    """As the service does: each record by what its `vehicle_id` says. What is locked is stored at the second attempt."""

    def __init__(self) -> None:
        self.unlocked: set[str] = set()

    def __call__(self, handler: Handler, seen: Seen) -> None:
        results = [self._result(i, record["vehicle_id"]) for i, record in enumerate(_records(seen))]
        statuses = [result["status"] for result in results]
        rejected = statuses.count("rejected")
        if rejected == len(results):
            more = {"message": f"None of the {rejected} records could be stored; see details.", "details": {"results": results}}
            return refuse(400, "invalid_request", more)(handler, seen)
        sums = {"records_processed": len(results) - rejected, "records_rejected": rejected, "duplicates": statuses.count("duplicate")}
        return reply(200, {"success": True, **sums, "processing_time_ms": 2.5, "results": results})(handler, seen)

    def _result(self, index: int, name: str) -> dict[str, Any]:
        if name.startswith("bad"):
            return {"index": index, "status": "rejected", "error": {"code": "invalid_request", "message": "bad"}}
        if name.startswith("locked") and name not in self.unlocked:
            self.unlocked.add(name)
            return {"index": index, "status": "rejected", "error": {"code": "unavailable", "message": "locked"}}
        return {"index": index, "status": "duplicate" if name.startswith("known") else "stored", "id": f"tel-{name}"}


def test_records_are_sent_in_parts_of_100_and_the_answers_are_put_together(driver: Driver) -> None:
    driver.server.answer(Store())
    records = _numbered(250)
    records[3], records[149], records[249] = ({"vehicle_id": name} for name in ("bad-3", "known-149", "bad-249"))
    answer = driver.get(driver.client().external.telemetry.send_batch(records))
    assert [len(_records(seen)) for seen in driver.server.seen] == [100, 100, 50]
    assert [record for seen in driver.server.seen for record in _records(seen)] == records
    assert len({seen.headers["idempotency-key"] for seen in driver.server.seen}) == 3
    results = answer.pop("results")
    assert answer == {"success": True, "records_processed": 248, "records_rejected": 2, "duplicates": 1, "processing_time_ms": 7.5}
    assert [result["index"] for result in results] == list(range(250))
    assert [results[i]["status"] for i in (3, 149, 249)] == ["rejected", "duplicate", "rejected"]


def test_nothing_is_sent_of_nothing(driver: Driver) -> None:
    client = driver.client()
    assert driver.get(client.external.telemetry.send_batch([]))["results"] == []
    assert driver.get(client.external.track.send_batch(()))["records_processed"] == 0
    assert driver.get(client.engine.predict_batch([]))["predictions"] == []
    assert driver.server.seen == []
    none: tuple[object, ...] = ("records", {"records": []}, 7, None)
    for wrong in none:
        driver.error(rw.ConfigurationError, client.external.telemetry.send_batch, wrong)


def test_a_part_without_a_good_record_is_reported_record_by_record(driver: Driver) -> None:
    client = driver.client()
    driver.server.answer(Store())
    answer = driver.get(client.external.telemetry.send_batch([*_numbered(100, "bad"), *_numbered(20)]))
    assert [answer[name] for name in ("records_processed", "records_rejected")] == [20, 100]
    assert [answer["results"][i]["index"] for i in (99, 100, 119)] == [99, 100, 119]
    # Only when none of the whole is good it is an error.
    error = driver.error(rw.ValidationError, lambda: client.external.telemetry.send_batch(_numbered(150, "bad")))
    assert (error.status, len(error.details["results"])) == (400, 150)


def test_a_key_of_the_caller_is_the_same_for_the_same_part_every_time(driver: Driver) -> None:
    client = driver.client()
    driver.server.answer(Store())
    for _ in range(2):
        driver.get(client.external.telemetry.send_batch(_numbered(101), idempotency_key="night 7"))
    driver.get(client.external.telemetry.send_batch(_numbered(100), idempotency_key="night 7"))
    keys = [seen.headers["idempotency-key"] for seen in driver.server.seen]
    assert keys == ["night 7-0", "night 7-1", "night 7-0", "night 7-1", "night 7"]


def test_when_a_part_fails_the_error_has_what_was_answered_and_what_was_not_sent(driver: Driver) -> None:
    client = driver.client(max_retries=1)
    driver.server.answer(Store(), refuse(401, "invalid_api_key"))
    error = driver.error(rw.BatchError, lambda: client.external.telemetry.send_batch(_numbered(250)))
    assert isinstance(error.__cause__, rw.AuthenticationError)
    assert (error.status, error.code, error.failed_from, error.unsent_from) == (401, "invalid_api_key", 100, 200)
    assert (error.answered["records_processed"], len(error.answered["results"])) == (100, 100)
    assert str(error).startswith("Items 100 to 199 failed, those before were answered, those after were not sent. 401")
    # Of the first part there is nothing that was answered.
    driver.server.answer(reset)
    driver.error(rw.ConnectionError, lambda: client.external.telemetry.send_batch(_numbered(250)))
    assert len(driver.server.seen) == 2


def test_records_that_met_a_lock_are_sent_once_more_without_the_others(driver: Driver) -> None:
    client = driver.client()
    driver.server.answer(Store())
    records = _numbered(120)
    records[5], records[110] = {"vehicle_id": "locked-5"}, {"vehicle_id": "locked-110"}
    answer = driver.get(client.external.telemetry.send_batch(records, idempotency_key="night 7"))
    assert [len(_records(seen)) for seen in driver.server.seen] == [100, 20, 2]
    assert driver.server.seen[2].headers["idempotency-key"] != "night 7"
    assert (answer["records_processed"], answer["records_rejected"], driver.clock.slept) == (120, 0, [1.0])
    assert [answer["results"][i]["id"] for i in (5, 110)] == ["tel-locked-5", "tel-locked-110"]
    # What does not get through stays refused in the answer.
    driver.server.answer(Store(), refuse(401, "invalid_api_key"))
    answer = driver.get(client.external.telemetry.send_batch([{"vehicle_id": "locked-1"}, {"vehicle_id": "truck-1"}]))
    assert (answer["records_processed"], answer["results"][0]["error"]["code"]) == (1, "unavailable")


def test_more_records_that_met_a_lock_than_the_api_takes_at_once_are_all_sent_once_more(driver: Driver) -> None:
    def locked(handler: Handler, seen: Seen) -> None:
        error = {"code": "unavailable", "message": "locked"}
        results = [{"index": i, "status": "rejected", "error": error} for i, _ in enumerate(_records(seen))]
        reply(200, {"success": True, "results": results})(handler, seen)

    driver.server.answer(locked, locked, Store())
    answer = driver.get(driver.client().external.telemetry.send_batch(_numbered(150)))
    assert [len(_records(seen)) for seen in driver.server.seen] == [100, 50, 100, 50]
    assert (answer["records_processed"], driver.clock.slept) == (150, [1.0])
    assert [(result["index"], result["id"]) for result in answer["results"]] == [(i, f"tel-truck-{i}") for i in range(150)]


def test_an_answer_of_something_else_is_no_record_that_was_stored(driver: Driver) -> None:
    unavailable = {"index": 0, "status": "rejected", "error": {"code": "unavailable"}}
    client = driver.client(max_retries=1)
    stored = {"index": 0, "status": "stored", "id": "tel-1"}
    results: list[Any] = ["fine", [], [None], [{**unavailable, "index": 7}], [{**stored, "index": False}], [stored, {**stored, "index": 1}]]
    others: list[Any] = [None, [], "fine", {}, {"success": True, "records_processed": 1}, *({"results": each} for each in results)]
    for other in others:
        driver.server.answer(reply(200, other))
        with pytest.raises(rw.UnexpectedAnswerError):
            driver.get(client.external.telemetry.send_batch(_numbered(1)))
    driver.server.answer(reply(200, {"results": [stored, stored]}))
    driver.error(rw.UnexpectedAnswerError, lambda: client.external.telemetry.send_batch(_numbered(2)))
    nothing: list[Any] = [{}, {"count": 1}, {"predictions": []}, {"predictions": [None]}]
    for other in nothing:
        driver.server.answer(reply(200, other))
        driver.error(rw.UnexpectedAnswerError, lambda: client.engine.predict_batch([{"vehicleId": "TRUCK-1"}]))
    driver.server.answer(Store(), reply(200, {}))
    with pytest.raises(rw.BatchError) as caught:
        driver.get(client.external.telemetry.send_batch(_numbered(250)))
    assert (caught.value.failed_from, caught.value.code) == (100, "unexpected_answer")
    # Of what is sent again, too: what is known of the records stays.
    driver.server.answer(reply(200, {"success": True, "results": [unavailable]}), reply(200, {"success": True}))
    assert driver.get(client.external.telemetry.send_batch(_numbered(1)))["records_rejected"] == 1


def test_predictions_are_split_by_1000(driver: Driver) -> None:
    def predict(handler: Handler, seen: Seen) -> None:
        vehicles = seen.json()["vehicles"]
        predictions = [{"vehicleId": vehicle["vehicleId"]} for vehicle in vehicles]
        reply(200, {"count": len(vehicles), "processingTimeMs": 1.5, "predictions": predictions})(handler, seen)

    driver.server.answer(predict)
    answer = driver.get(driver.client().engine.predict_batch([{"vehicleId": str(i)} for i in range(1001)]))
    assert (answer["count"], answer["processingTimeMs"], answer["predictions"][1000]) == (1001, 3.0, {"vehicleId": "1000"})


@pytest.mark.parametrize("kind", [list, tuple, deque])
def test_parts_have_the_bytes_that_the_api_takes(kind: Any) -> None:
    items = [{"note": "ü" * 200} for _ in range(7)]
    parts = split_items(kind(items), Batch("records", 100, 1024))
    assert [(part.begin, len(part.items)) for part in parts] == [(0, 2), (2, 2), (4, 2), (6, 1)]
    # One that is too long by itself is refused by the service, not kept from it.
    assert [part.begin for part in split_items([{"note": "x" * 4000}, *items], Batch("records", 100, 1024))] == [0, 1, 3, 5, 7]
