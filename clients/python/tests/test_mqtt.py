"""Goal: a device publishes what the broker takes, to its own topic, and learns what became of it. A real broker is in test_live.py."""

from __future__ import annotations

import json
from typing import Any

import pytest

from roadworthy import ConfigurationError, ConnectionError, TimeoutError, UnexpectedAnswerError, ValidationError, mqtt

TOPIC = "fleet/north-fleet/devices/dev-1/telemetry"
REGISTERED = {
    "device_id": "dev-1",
    "mqtt_broker": "fleet.example.com:1884",
    "mqtt_username": "north-fleet_dev-1",
    "mqtt_password": "secret-of-dev-1",
    "mqtt_topic": TOPIC,
}


class Message:
    def __init__(self, refusal: Exception | None, is_acknowledged: bool) -> None:
        self.refusal = refusal
        self.is_acknowledged = is_acknowledged
        self.waited: float | None = None

    def wait_for_publish(self, timeout: float | None = None) -> None:
        self.waited = timeout
        if self.refusal is not None:
            raise self.refusal

    def is_published(self) -> bool:
        return self.is_acknowledged


class Client:
    """As paho-mqtt behaves: what cannot be sent is an error of the message, and one without an answer is not published."""

    def __init__(self, refusal: Exception | None = None, is_acknowledged: bool = True) -> None:
        self.sent: list[tuple[str, Any, int, bool]] = []
        self.messages: list[Message] = []
        self.refusal = refusal
        self.is_acknowledged = is_acknowledged

    def publish(self, topic: str, payload: str, qos: int, retain: bool) -> Message:
        self.sent.append((topic, json.loads(payload), qos, retain))
        self.messages.append(Message(self.refusal, self.is_acknowledged))
        return self.messages[-1]


def test_records_go_to_the_topic_of_the_device_with_qos_1_not_retained_100_in_a_message() -> None:
    client = Client()
    device = mqtt.device(REGISTERED, client)
    device.send({"speed": 61}, timeout_s=7)
    assert client.sent == [(TOPIC, {"speed": 61}, 1, False)]
    assert client.messages[0].waited == 7
    device.send([{"speed": speed} for speed in range(201)])
    assert [len(payload) for _, payload, _, _ in client.sent[1:3]] == [100, 100]
    assert client.sent[3:] == [(TOPIC, {"speed": 200}, 1, False)]
    device.send([])
    assert len(client.sent) == 4


def test_messages_have_at_most_64_kib_and_a_longer_record_is_refused_before_anything_is_sent() -> None:
    client = Client()
    device = mqtt.device(TOPIC, client)
    long = {"extra": {"note": "ü" * 15_000}}
    device.send([long, long, long])
    assert [len(payload) if isinstance(payload, list) else 1 for _, payload, _, _ in client.sent] == [2, 1]
    assert all(len(payload.encode()) <= 65_536 for payload in device.payloads([long] * 9))
    client.sent.clear()
    with pytest.raises(ValidationError) as found:
        device.send([{"speed": 1}, {"extra": {"note": "a" * 65_536}}])
    assert (found.value.code, found.value.details) == ("payload_too_large", {"index": 1})
    assert client.sent == []


@pytest.mark.parametrize("refusal", [RuntimeError("The client is not currently connected."), ValueError("Message is not queued"), OSError("gone")])
def test_what_the_client_cannot_send_is_an_error_and_nothing_follows_it(refusal: Exception) -> None:
    client = Client(refusal)
    with pytest.raises(ConnectionError, match=str(refusal)):
        mqtt.device(TOPIC, client).send([{"speed": 1}] * 101)
    assert len(client.sent) == 1


def test_a_message_that_is_not_acknowledged_in_time_is_an_error_and_nothing_follows_it() -> None:
    client = Client(is_acknowledged=False)
    with pytest.raises(TimeoutError, match="within 0.5 s"):
        mqtt.device(TOPIC, client).send([{"speed": 1}] * 101, timeout_s=0.5)
    assert len(client.sent) == 1


def test_the_other_topics_follow_from_that_of_the_device_and_reports_are_read() -> None:
    device = mqtt.device({"mqttTopic": TOPIC})
    assert (device.topic, device.errors_topic) == (TOPIC, "fleet/north-fleet/devices/dev-1/errors")
    assert device.commands_topic == "fleet/north-fleet/devices/dev-1/commands"
    report = {"records_stored": 0, "records_rejected": 1, "errors": [{"index": 0, "code": "invalid_request", "message": "x"}]}
    assert device.parse_errors(device.errors_topic, json.dumps(report).encode()) == report
    assert device.parse_errors(device.commands_topic, b"anything") is None
    for wrong in (b"{", b"[]", b"\xff", "[" * 100_000):
        with pytest.raises(UnexpectedAnswerError):
            device.parse_errors(device.errors_topic, wrong)


@pytest.mark.parametrize("wrong", ["", "fleet/+/devices/dev-1/telemetry", "fleet/#", "fleet/a/devices/b/errors", "/telemetry", None, {}, TOPIC + "\n"])
def test_a_topic_that_is_no_device_s_is_refused(wrong: Any) -> None:
    with pytest.raises(ConfigurationError, match="mqtt_topic"):
        mqtt.device(wrong if wrong is not None else {"mqtt_topic": None})


def test_what_is_no_record_or_cannot_be_written_is_refused() -> None:
    device = mqtt.device(TOPIC, Client())
    for wrong in ("speed", b"speed", 7, None):
        with pytest.raises(ConfigurationError, match="records must be"):
            device.payloads(wrong)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="JSON"):
        device.payloads({"speed": float("nan")})
    with pytest.raises(ConfigurationError, match="MQTT client"):
        mqtt.device(TOPIC).send({"speed": 1})


def test_the_connection_is_that_of_the_registration_of_either_api() -> None:
    expected = ("dev-1", "fleet.example.com", 1884, "north-fleet_dev-1", "secret-of-dev-1")
    assert mqtt.connection(REGISTERED) == expected
    of_platform = {
        "id": "dev-1",
        "mqttBroker": "fleet.example.com:1884",
        "mqttUsername": "north-fleet_dev-1",
        "mqttPassword": "secret-of-dev-1",
    }
    assert mqtt.connection(of_platform) == expected
    assert "secret" not in repr(mqtt.connection(REGISTERED))
    named = {**REGISTERED, "mqtt_broker": "fleet.example.com"}
    assert [mqtt.connection(named, is_tls=is_tls).port for is_tls in (False, True)] == [1883, 8883]
    assert mqtt.connection({**REGISTERED, "mqtt_broker": "[2001:db8::7]:1883"}).host == "2001:db8::7"
    for wrong in ({"mqtt_broker": ":99999999"}, {"mqtt_broker": "[::1"}, {"mqtt_broker": ":1883"}, {"mqtt_password": None}):
        with pytest.raises(ConfigurationError):
            mqtt.connection({**REGISTERED, **wrong})
