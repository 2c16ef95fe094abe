"""Goal: what the service signed is taken, and nothing else. The service's own signatures are verified in test_live.py."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any

import httpx
import pytest

from roadworthy import ConfigurationError, WebhookVerificationError, webhooks

# The example of https://www.standardwebhooks.com.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
PAYLOAD = '{"id":"evt-1","event":"alert.created","timestamp":"2026-01-31T08:15:00.000Z","data":{"message":"116 °C"},"sub_client_id":null}'
NOW = datetime(2026, 1, 31, 8, 15, tzinfo=timezone.utc)


def signed(payload: str | bytes = PAYLOAD, secret: Any = SECRET) -> dict[str, str]:
    return webhooks.sign(payload, id="evt-1", secret=secret, now=NOW)


def refusal(payload: Any, headers: Any, secret: Any = SECRET, **options: Any) -> str:
    with pytest.raises(WebhookVerificationError) as found:
        webhooks.verify(payload, headers, secret, **{"now": NOW, **options})
    return found.value.code


def test_the_known_example_has_the_known_signature() -> None:
    at = datetime.fromtimestamp(1_614_265_330, timezone.utc)
    headers = webhooks.sign('{"test": 2432232314}', id="msg_p5jXN8AQM9LWM0D4loKWxJek", secret=SECRET, now=at)
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_message_is_taken_as_text_and_as_bytes_with_headers_of_every_kind() -> None:
    headers = signed()
    bodies: tuple[str | bytes | bytearray, ...] = (PAYLOAD, PAYLOAD.encode(), bytearray(PAYLOAD.encode()))
    for form in (headers, httpx.Headers(headers), {name.upper(): value for name, value in headers.items()}):
        for body in bodies:
            event = webhooks.verify(body, form, SECRET, now=NOW)
            assert event["event"] == "alert.created"
            # The type of the event decides what its data is.
            if event["event"] == "alert.created":
                assert event["data"]["message"] == "116 °C"


def test_headers_are_taken_as_pairs_too_of_text_or_of_bytes_as_asgi_has_them() -> None:
    headers = signed()
    pairs = [(name.title(), value) for name, value in headers.items()]
    in_bytes = [[name.encode(), value.encode()] for name, value in headers.items()]
    forms: tuple[Any, ...] = (pairs, iter(pairs), headers.items(), in_bytes, [(b"x-note", b"\xff"), *in_bytes], {each[0]: each[1] for each in in_bytes})
    for form in forms:
        assert webhooks.verify(PAYLOAD, form, SECRET, now=NOW)["event"] == "alert.created"
    assert refusal(PAYLOAD, pairs[:2]) == "missing_header"
    assert refusal(PAYLOAD, []) == "missing_header"
    assert refusal(PAYLOAD, {**headers, "webhook-id": 1}) == "missing_header"


@pytest.mark.parametrize("none", [None, 1, "webhook-id: evt-1", ["webhook-id"], [("webhook-id",)], [(1, "evt-1")], {1: "evt-1"}, dict])
def test_headers_that_are_neither_a_mapping_nor_pairs_are_refused_by_name(none: Any) -> None:
    with pytest.raises(ConfigurationError, match="headers must be a mapping of names to values, or pairs"):
        webhooks.verify(PAYLOAD, none, SECRET, now=NOW)


def test_whatever_is_changed_is_refused() -> None:
    headers = signed()
    signature = headers["webhook-signature"]
    assert refusal(PAYLOAD.replace("116", "61"), headers) == "invalid_signature"
    assert refusal(f"{PAYLOAD} ", headers) == "invalid_signature"
    assert refusal(PAYLOAD, headers, OTHER) == "invalid_signature"
    later = str(int(headers["webhook-timestamp"]) + 1)
    changes = [("webhook-id", "evt-2"), ("webhook-timestamp", later)]
    forms = (signature.replace("v1,", "v2,"), signature[3:], signature[:-4], "v1,%%%%", "v1,", "v1,=")
    for name, value in [*changes, *(("webhook-signature", form) for form in forms)]:
        assert refusal(PAYLOAD, {**headers, name: value}) == "invalid_signature", value
    for name in headers:
        assert refusal(PAYLOAD, {key: value for key, value in headers.items() if key != name}) == "missing_header"
        assert refusal(PAYLOAD, {**headers, name: ""}) == "missing_header"


def test_a_message_is_taken_for_5_minutes_either_way_or_as_long_as_was_asked_for() -> None:
    headers = signed()
    at = {seconds: NOW + timedelta(seconds=seconds) for seconds in (-301, -300, 0, 1, 300, 301, 3600)}
    for seconds in (-300, 0, 300):
        webhooks.verify(PAYLOAD, headers, SECRET, now=at[seconds])
    assert refusal(PAYLOAD, headers, now=at[301]) == "too_old"
    assert refusal(PAYLOAD, headers, now=at[-301]) == "too_new"
    webhooks.verify(PAYLOAD, headers, SECRET, now=at[3600], tolerance_s=3600)
    assert refusal(PAYLOAD, headers, now=at[1], tolerance_s=0) == "too_old"
    # By the clock of this machine, for which the message is old.
    assert refusal(PAYLOAD, headers, now=None) == "too_old"
    for timestamp in ("soon", "-1", "1e9", "0x10", " 1769847300", "1769847300.0", "9" * 20, "١٢٣"):
        assert refusal(PAYLOAD, {**headers, "webhook-timestamp": timestamp}) == "invalid_timestamp"
    wrong: tuple[dict[str, Any], ...] = ({"tolerance_s": float("nan")}, {"tolerance_s": -1}, {"now": datetime(2026, 1, 31)})
    for options in wrong:
        with pytest.raises(ConfigurationError):
            webhooks.verify(PAYLOAD, headers, SECRET, **{"now": NOW, **options})


def test_while_a_secret_is_replaced_either_fits_on_both_sides() -> None:
    both = signed(secret=[OTHER, SECRET])
    for one in (SECRET, OTHER):
        webhooks.verify(PAYLOAD, both, one, now=NOW)
    headers = signed(secret=OTHER)
    webhooks.verify(PAYLOAD, headers, [SECRET, OTHER], now=NOW)
    many = {**headers, "webhook-signature": f"{'v1,AAAA ' * 8}{headers['webhook-signature']}"}
    assert refusal(PAYLOAD, many, OTHER) == "invalid_signature"


@pytest.mark.parametrize("none", ["", "whsec_", "whsec_%", [], ["whsec_"], None, [SECRET, ""], [SECRET] * 9])
def test_a_secret_that_is_none_lets_nobody_in(none: Any) -> None:
    with pytest.raises(ConfigurationError):
        webhooks.verify(PAYLOAD, signed(), none, now=NOW)


def test_a_body_that_was_parsed_is_refused_and_one_that_is_no_event_too() -> None:
    with pytest.raises(ConfigurationError, match="the body as it came"):
        webhooks.verify(json.loads(PAYLOAD), signed(), SECRET, now=NOW)
    for body in (b"[]", b'{"event":1}', b"null", b"{", b'{"event":"\xff"}', b"[" * 100_000):
        assert refusal(body, signed(body)) == "invalid_payload"
