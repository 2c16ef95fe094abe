"""
What a device needs to know of MQTT here: its topics, and what a message may hold. The connection, its queue and its reconnects are of the
MQTT client that the caller brings, for example paho-mqtt.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, cast
from urllib.parse import urlsplit

from ._batches import split_items
from ._outgoing import to_json
from ._route import Batch
from .errors import ConfigurationError, ConnectionError, TimeoutError, UnexpectedAnswerError, ValidationError
from .generated.published_types import MqttErrorReport

__all__ = ["Connection", "Device", "Published", "Publisher", "connection", "device"]

# What a message may hold; the broker refuses more.
_MAX_RECORDS = 100
_MAX_PAYLOAD_BYTES = 64 * 1024
_PORT = 1883
_TLS_PORT = 8883
_TELEMETRY = "/telemetry"
_TOPIC = re.compile(r"[^+#\x00]+/telemetry")


class Published(Protocol):
    """`MQTTMessageInfo` of paho-mqtt."""

    def wait_for_publish(self, timeout: float | None = None) -> None: ...

    def is_published(self) -> bool: ...


class Publisher(Protocol):
    """`Client` of paho-mqtt 2, or any with the same `publish`."""

    def publish(self, topic: str, payload: str, qos: int, retain: bool) -> Published: ...


class Connection(NamedTuple):
    """For `username_pw_set` and `connect` of paho-mqtt. The embedded broker speaks MQTT 3.1.1, and knows a device by its id."""

    client_id: str
    host: str
    port: int
    username: str
    password: str

    def __repr__(self) -> str:
        # It ends up in logs.
        return f"Connection(client_id={self.client_id!r}, host={self.host!r}, port={self.port}, username={self.username!r})"


class Device:
    """A device that publishes: made by `device`."""

    def __init__(self, topic: str, client: Publisher | None = None) -> None:
        base = topic.removesuffix(_TELEMETRY)
        self.topic = topic
        self.errors_topic = f"{base}/errors"
        self.commands_topic = f"{base}/commands"
        self._client = client

    def payloads(self, records: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> list[str]:
        """
        Messages for `topic`, of at most 100 records and 64 KiB each, for a client of your own: publish them with QoS 1, not retained. All are
        made before the first is sent: a record that is too long keeps none of the others from being reported.
        """
        items = [records] if isinstance(records, Mapping) else records
        if isinstance(items, (str, bytes)) or not isinstance(items, Sequence):
            raise ConfigurationError(f"records must be a record or a list of them, not {type(records).__name__}.")
        parts = split_items(items, Batch("records", _MAX_RECORDS, _MAX_PAYLOAD_BYTES))
        return [_payload_of(part.items, part.begin) for part in parts]

    def send(self, records: Mapping[str, Any] | Sequence[Mapping[str, Any]], *, timeout_s: float = 60.0) -> None:
        """
        Publishes with QoS 1, not retained, one message after the other. Returns when the broker has acknowledged the last: what was acknowledged
        is stored, or is reported on `errors_topic`. `timeout_s` is for each message. The loop of the client must run (`loop_start`).
        """
        if self._client is None:
            raise ConfigurationError("Give `device` a connected MQTT client, or publish `payloads` by one of your own.")
        for payload in self.payloads(records):
            _publish(self._client, self.topic, payload, timeout_s)

    def parse_errors(self, topic: str, payload: str | bytes | bytearray) -> MqttErrorReport | None:
        """A message of `errors_topic`; None of any other topic."""
        if topic != self.errors_topic:
            return None
        try:
            report = json.loads(payload)
        except (ValueError, RecursionError) as error:
            raise UnexpectedAnswerError(f"The report is no JSON: {error}", code="unexpected_answer") from None
        if not isinstance(report, dict):
            raise UnexpectedAnswerError("The report is no JSON object.", code="unexpected_answer")
        return cast("MqttErrorReport", report)


def device(registered: Mapping[str, Any] | str, client: Publisher | None = None) -> Device:
    """`registered`: the answer to a registration, of either API; or the topic alone, where it was kept."""
    topic = registered if isinstance(registered, str) else _one_of(registered, "mqtt_topic", "mqttTopic")
    if not isinstance(topic, str) or not _TOPIC.fullmatch(topic):
        raise ConfigurationError("The topic must be the mqtt_topic of a registered device, which ends in /telemetry.")
    return Device(topic, client)


def connection(registered: Mapping[str, Any], *, is_tls: bool = False) -> Connection:
    """`registered`: the answer to a registration, or to a rotation of credentials, of either API."""
    client_id, broker, username, password = (
        _one_of(registered, *names)
        for names in (("device_id", "id"), ("mqtt_broker", "mqttBroker"), ("mqtt_username", "mqttUsername"), ("mqtt_password", "mqttPassword"))
    )
    for name, value in (("device_id", client_id), ("mqtt_broker", broker), ("mqtt_username", username), ("mqtt_password", password)):
        if not isinstance(value, str) or value == "":
            raise ConfigurationError(f"{name} is missing: give the answer to the registration of the device.")
    try:
        address = urlsplit(f"//{broker}")
        host, port = address.hostname, address.port
    except ValueError:
        host, port = None, None
    if host is None:
        raise ConfigurationError("mqtt_broker must be host:port.")
    return Connection(
        cast("str", client_id), host, port or (_TLS_PORT if is_tls else _PORT), cast("str", username), cast("str", password)
    )


def _one_of(given: Mapping[str, Any], *names: str) -> object:
    return next((given[name] for name in names if name in given), None)


def _payload_of(records: Sequence[Any], begin: int) -> str:
    content = to_json(records[0] if len(records) == 1 else records)
    if len(content) > _MAX_PAYLOAD_BYTES:
        raise ValidationError(
            f"Record {begin} has {len(content)} bytes; a message holds {_MAX_PAYLOAD_BYTES}. Nothing was sent.",
            code="payload_too_large",
            details={"index": begin},
        )
    return content.decode()


def _publish(client: Publisher, topic: str, payload: str, timeout_s: float) -> None:
    try:
        published = client.publish(topic, payload, 1, False)
        published.wait_for_publish(timeout_s)
    except (RuntimeError, ValueError, OSError) as error:
        # paho-mqtt: not connected, or its queue is full.
        raise ConnectionError(f"The broker did not take the message: {error}", code="connection_failed") from error
    if not published.is_published():
        raise TimeoutError(
            f"The broker did not acknowledge within {timeout_s:g} s: is the loop of the client running?", code="timeout"
        )
