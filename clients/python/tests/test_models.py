"""Goal: the three models hold what the API answers, and send what it takes."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Driver
from fault_server import reply

from roadworthy import DeviceLocation, PredictionResult, TrackingData

LOCATION: Any = {
    **{"device_id": "dev-1", "imei": None, "name": "Truck 17", "sub_client_id": None, "vehicle_id": "veh-1"},
    **{"latitude": 12.97, "longitude": 77.59, "speed": 61.0, "heading": None, "altitude": None, "satellites": 9},
    **{"ignition": True, "battery_voltage": 13.8, "event": None, "timestamp": "2026-01-31T08:15:00.000Z"},
    **{"received_at": "2026-01-31T08:15:01.000Z", "age_seconds": 4, "online": True, "added_later": 1},
}
ANSWER: Any = {
    **{"vehicle_id": "veh-1", "health_score": 31.5, "risk_level": "high", "components": {"cooling": 12.0}},
    **{"maintenance_alerts": [], "recommendations": ["Stop."], "confidence": 0.8, "processed_at": "2026-01-31T08:15:01.000Z"},
}


def test_a_track_point_is_sent_without_what_was_left_out() -> None:
    point = TrackingData("dev-1", 12.97, 77.59, speed=0, ignition=False, event="sos")
    assert point.to_body() == {
        **{"device_id": "dev-1", "latitude": 12.97, "longitude": 77.59},
        **{"speed": 0, "ignition": False, "event": "sos"},
    }


def test_points_are_sent_as_they_are_alone_and_in_batches(driver: Driver) -> None:
    point = TrackingData("dev-1", 12.97, 77.59, speed=48)
    client = driver.client()
    driver.server.answer(reply(200, {"success": True, "track_id": "trk-1"}))
    driver.get(client.external.track.send(point))
    driver.server.answer(reply(200, {"success": True, "results": [{"index": 0, "status": "stored"}]}))
    driver.get(client.external.track.send_batch([point]))
    assert [seen.json() for seen in driver.server.seen] == [{"points": [point.to_body()]}]


def test_a_location_is_read_and_what_came_later_is_left_out() -> None:
    location = DeviceLocation.of(LOCATION)
    assert (location.latitude, location.online, location.heading) == (12.97, True, None)


@pytest.mark.parametrize(("status", "is_critical", "is_healthy"), [("critical", True, False), ("warning", False, False), ("healthy", False, True)])
def test_a_prediction_says_whether_it_is_critical(status: str, is_critical: bool, is_healthy: bool) -> None:
    answer: Any = {**ANSWER, "health_status": status}
    prediction = PredictionResult.of(answer)
    assert (prediction.is_critical, prediction.is_healthy, prediction.components) == (is_critical, is_healthy, {"cooling": 12.0})
