"""
Goal: the client does against the running service what it says. `test/clients/python.long.test.ts` starts one and runs this; by itself it
wants ROADWORTHY_URL, ROADWORTHY_KEY and ROADWORTHY_ENGINE_URL.
"""

from __future__ import annotations

import asyncio
import os
import queue
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fault_server import FaultServer, Handler, Seen, raw

import roadworthy as rw
from roadworthy.types import external, published

URL = os.environ.get("ROADWORTHY_URL", "")
KEY = os.environ.get("ROADWORTHY_KEY", "")
ENGINE_URL = os.environ.get("ROADWORTHY_ENGINE_URL", "")
WAIT_S = 30.0

pytestmark = pytest.mark.skipif(URL == "", reason="ROADWORTHY_URL names no running service")


@pytest.fixture(scope="module")
def client() -> Iterator[rw.Roadworthy]:
    with rw.Roadworthy(base_url=URL, api_key=KEY, engine_url=ENGINE_URL) as made:
        yield made


def test_a_fleet_is_made_sends_and_is_read_back(client: rw.Roadworthy) -> None:
    assert client.external.health.get()["status"] == "healthy"
    acme = client.external.sub_clients.create({"name": "Acme of Python"})["sub_client"]["sub_client_id"]
    registered = client.external.devices.register(
        {
            "name": "Truck 17",
            "imei": "356938035640003",
            "sub_client_id": acme,
            "vehicle": {"mode": "create", "make": "Toyota", "model": "Etios", "license_plate": "PY-01"},
        }
    )
    device = registered["device_id"]
    sent = client.external.telemetry.send({"device_id": device, "lat": 12.97, "lon": 77.59, "speed": 61})
    assert client.external.telemetry.get(sent["telemetry_id"])["device_id"] == device
    point = rw.TrackingData(device, 12.98, 77.6, speed=48)
    client.external.track.send(point)
    location = rw.DeviceLocation.of(client.external.devices.get_location(device)["location"])
    assert (location.latitude, location.speed, location.device_id) == (12.98, 48, device)
    positions = client.platform.fleet.positions(sub_client_id=acme)
    assert [(position["deviceId"], position["longitude"]) for position in positions] == [(device, 77.6)]
    vehicles = client.platform.vehicles.list(sub_client_id=acme)["vehicles"]
    assert vehicles[0]["make"] == "Toyota"
    assert client.external.usage.get(format="csv").startswith("period,sub_client_id,meter,count\r\n")
    assert client.sim_billing.sims.list()["sims"] == []


def test_lists_are_read_to_their_end_in_both_clients(client: rw.Roadworthy) -> None:
    names = [f"Client {i}" for i in range(7)]
    for name in names:
        client.external.sub_clients.create({"name": name})
    found = [each["name"] for each in client.external.sub_clients.iterate(limit=3)]
    assert [name for name in found if name.startswith("Client ")] == names

    async def read() -> list[str]:
        async with rw.AsyncRoadworthy(base_url=URL, api_key=KEY) as other:
            return [each["name"] async for each in other.platform.sub_clients.iterate(limit=2)]

    assert sorted(asyncio.run(read())) == sorted(found)


def test_a_batch_is_stored_by_its_parts(client: rw.Roadworthy) -> None:
    records: list[external.TelemetryRecord] = [{"vehicle_id": f"py-{i}", "speed": 50} for i in range(250)]
    records[120] = {"vehicle_id": "py-120", "timestamp": "1999-01-01T00:00:00.000Z"}
    answer = client.external.telemetry.send_batch(records)
    assert (answer["records_processed"], answer["records_rejected"], len(answer["results"])) == (249, 1, 250)
    refused = answer["results"][120]
    assert "error" in refused and (refused["index"], refused["error"]["code"]) == (120, "invalid_request")
    with pytest.raises(rw.ValidationError) as found:
        client.external.telemetry.send_batch([records[120]] * 101)
    assert len((found.value.details or {})["results"]) == 101


class LoseFirst(httpx.HTTPTransport):
    """The service has done it; the answer is lost on its way."""

    losses = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        if request.method != "POST" or self.losses > 0:
            return response
        self.losses += 1
        response.read()
        raise httpx.ReadError("lost", request=request)


def test_a_write_whose_answer_is_lost_is_carried_out_once(client: rw.Roadworthy) -> None:
    transport = LoseFirst()
    with httpx.Client(transport=transport) as http, rw.Roadworthy(base_url=URL, api_key=KEY, http_client=http, retry_delay_s=0) as losing:
        before = losing.external.sub_clients.list()["total"]
        losing.external.sub_clients.create({"name": "Once"})
        losing.external.sub_clients.create({"name": "Twice"}, idempotency_key="python-1")
        losing.external.sub_clients.create({"name": "Twice"}, idempotency_key="python-1")
        assert (transport.losses, losing.external.sub_clients.list()["total"]) == (1, before + 2)
        with pytest.raises(rw.ConflictError) as found:
            losing.external.sub_clients.create({"name": "Other"}, idempotency_key="python-1")
        assert found.value.code == "idempotency_conflict"


def test_refusals_of_the_service_are_the_classes_that_they_should_be(client: rw.Roadworthy) -> None:
    with rw.Roadworthy(base_url=URL, api_key="rw_live_wrong", max_retries=0) as wrong, pytest.raises(rw.AuthenticationError):
        wrong.external.devices.list()
    with pytest.raises(rw.NotFoundError) as missing:
        client.external.devices.get("dev-unknown")
    assert missing.value.code == "device_not_found"
    assert re.fullmatch(r"[0-9a-f-]{36}", missing.value.request_id or "")
    with pytest.raises(rw.ValidationError) as invalid:
        client.external.sub_clients.create({"name": ""})
    assert (invalid.value.details or {})["field"] == "name"
    secret = client.platform.api_keys.create({"name": "narrow", "scopes": ["devices:read"], "perMinute": 1})["secret"]
    with rw.Roadworthy(base_url=URL, api_key=secret, max_retries=0) as narrow:
        with pytest.raises(rw.PermissionError) as forbidden:
            narrow.external.vehicles.list()
        assert (forbidden.value.details or {})["required_scope"] == "vehicles:read"
        with pytest.raises(rw.RateLimitError) as limited:
            for _ in range(3):
                narrow.external.devices.list()
        assert 1 <= (limited.value.retry_after_s or 0) <= 60


def test_the_engine_predicts_alone_and_for_many_without_a_key(client: rw.Roadworthy) -> None:
    assert client.engine.predict({"vehicleId": "TRUCK-1", "coolant": 92, "battery_voltage": 13.9})["predictions"]["healthScore"] > 0
    answer = client.engine.predict_batch([{"vehicleId": f"T-{i}"} for i in range(1001)])
    assert (answer["count"], answer["predictions"][1000]["vehicleId"]) == (1001, "T-1000")
    prediction = rw.PredictionResult.of(client.external.predict({"vehicle_id": "py-1", "sensor_data": {"coolant_temp": 121}}))
    assert prediction.health_score < 100 and prediction.is_critical == (prediction.health_status == "critical")
    with pytest.raises(rw.NotFoundError) as found:
        client.engine.inference.model("none")
    assert found.value.code == "not_found"


def test_webhooks_are_verified_and_what_happens_is_followed(client: rw.Roadworthy) -> None:
    received: queue.Queue[Seen] = queue.Queue()

    def receive(handler: Handler, seen: Seen) -> None:
        raw(204, "text/plain", "")(handler, seen)
        received.put(seen)

    hooks = FaultServer()
    hooks.answer(receive)
    try:
        created = client.platform.webhooks.create({"url": f"{hooks.url}/hook", "eventTypes": ["alert.created"]})
        messages = client.platform.stream.follow()
        assert next(messages)["type"] == "ready"
        client.platform.webhooks.test(created["webhook"]["id"], {"eventType": "alert.created"})
        sample = received.get(timeout=WAIT_S)
        event: published.FleetEvent = rw.webhooks.verify(sample.body, sample.headers, created["secret"])
        assert event["event"] == "alert.created" and event["data"]["message"] != "" and "test" in event
        with pytest.raises(rw.WebhookVerificationError):
            rw.webhooks.verify(sample.body + b" ", sample.headers, created["secret"])
    finally:
        hooks.stop()


README = Path(__file__).parents[1] / "README.md"
PRINTED = [
    r"the device has the password [\w-]+\nTruck 17 dongle is at 12\.97 77\.59\n",
    r"healthy 1\nToyota \w+\n",
    r"0 of 0 that need work\n",
    r"250 stored\n",
    r"Van 3 12\.97 48\n(healthy|warning|critical) (True|False)\n",
    r"device_not_found [0-9a-f-]{36}\n",
    r"active\n",
    r"critical Coolant at 116 °C\n204 400\n",
    r"stored\n0 invalid_\w+\n",
]


def test_every_example_of_the_readme_runs_in_the_order_of_the_page() -> None:
    examples = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)
    assert len(examples) == len(PRINTED)
    source = str(README.parent / "src")
    env = {**os.environ, "PYTHONPATH": source, "ROADWORTHY_KEY": os.environ.get("ROADWORTHY_README_KEY", KEY), "PYTHONUTF8": "1"}
    for code, pattern in zip(examples, PRINTED, strict=True):
        done = subprocess.run([sys.executable, "-W", "error", "-c", code], env=env, capture_output=True, text=True, check=False, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
        assert re.match(pattern, done.stdout), done.stdout
