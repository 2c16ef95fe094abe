# Written by `npm run openapi` from docs/openapi/engine.json and the table of methods. Changes belong there.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .._options import CallOptions
from . import engine_routes as routes

if TYPE_CHECKING:
    from .._sync_caller import Caller
    from . import engine_types as types



class Health:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.EngineHealth:
        """Whether the engine is up, and what it has loaded.

        `GET /v1/health`
        """
        return self._caller.call(routes.HEALTH_GET, options=CallOptions(timeout_s, max_retries, headers))

    def live(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.EngineLive:
        """Whether the process answers at all.

        `GET /livez`
        """
        return self._caller.call(routes.HEALTH_LIVE, options=CallOptions(timeout_s, max_retries, headers))

    def ready(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.EngineLive:
        """Whether to send it predictions.

        `GET /readyz`
        """
        return self._caller.call(routes.HEALTH_READY, options=CallOptions(timeout_s, max_retries, headers))


class Models:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.EngineModels:
        """What answers predictions, with what has been measured of it.

        `GET /v1/models`
        """
        return self._caller.call(routes.MODELS_LIST, options=CallOptions(timeout_s, max_retries, headers))


class Schema:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def input(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.JsonSchema:
        """JSON Schema of the input, aliases included.

        `GET /v1/schema/input`
        """
        return self._caller.call(routes.SCHEMA_INPUT, options=CallOptions(timeout_s, max_retries, headers))

    def output(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.JsonSchema:
        """JSON Schema of the response.

        `GET /v1/schema/output`
        """
        return self._caller.call(routes.SCHEMA_OUTPUT, options=CallOptions(timeout_s, max_retries, headers))

    def aliases(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.EngineAliases:
        """Names mapped to standard fields.

        `GET /v1/schema/aliases`
        """
        return self._caller.call(routes.SCHEMA_ALIASES, options=CallOptions(timeout_s, max_retries, headers))

    def statistics(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.EngineStatistics:
        """How well inputs keep to the schema.

        `GET /v1/schema/statistics`
        """
        return self._caller.call(routes.SCHEMA_STATISTICS, options=CallOptions(timeout_s, max_retries, headers))


class Inference:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def server(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.ServerMetadata:
        """Name and version of the server.

        `GET /v2`
        """
        return self._caller.call(routes.INFERENCE_SERVER, options=CallOptions(timeout_s, max_retries, headers))

    def live(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.ServerLive:
        """Whether the server answers at all.

        `GET /v2/health/live`
        """
        return self._caller.call(routes.INFERENCE_LIVE, options=CallOptions(timeout_s, max_retries, headers))

    def ready(self, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.ServerReady:
        """Whether to send it requests.

        `GET /v2/health/ready`
        """
        return self._caller.call(routes.INFERENCE_READY, options=CallOptions(timeout_s, max_retries, headers))

    def model(self, model: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.ModelMetadata:
        """What a model takes and gives.

        `GET /v2/models/{model}`
        """
        return self._caller.call(routes.INFERENCE_MODEL, (model,), options=CallOptions(timeout_s, max_retries, headers))

    def model_ready(self, model: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.ModelReady:
        """Whether a model answers.

        `GET /v2/models/{model}/ready`
        """
        return self._caller.call(routes.INFERENCE_MODEL_READY, (model,), options=CallOptions(timeout_s, max_retries, headers))

    def infer(self, model: str, body: types.InferRequest | bytes, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.InferResponse | bytes:
        """Score rows of features.
        Rows of features in the order of the metadata, flat or nested; `null` is a missing value. At most 10,000 rows. With the extension of binary tensors the body is that JSON with `binary_data_size` in the place of `data`, and behind it the values, little-endian, not a number for a missing one; `Inference-Header-Content-Length` is how many bytes are JSON. The answer has that form where `binary_data` of an output, or `binary_data_output`, asks for it.

        `POST /v2/models/{model}/infer`
        """
        return self._caller.call(routes.INFERENCE_INFER, (model,), body=body, options=CallOptions(timeout_s, max_retries, headers))

    def model_version(self, model: str, version: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.ModelMetadata:
        """The same of one version.

        `GET /v2/models/{model}/versions/{version}`
        """
        return self._caller.call(routes.INFERENCE_MODEL_VERSION, (model, version,), options=CallOptions(timeout_s, max_retries, headers))

    def model_version_ready(self, model: str, version: str, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.ModelReady:
        """Whether that version answers.

        `GET /v2/models/{model}/versions/{version}/ready`
        """
        return self._caller.call(routes.INFERENCE_MODEL_VERSION_READY, (model, version,), options=CallOptions(timeout_s, max_retries, headers))

    def infer_version(self, model: str, version: str, body: types.InferRequest | bytes, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.InferResponse | bytes:
        """Score rows by that version.
        Rows of features in the order of the metadata, flat or nested; `null` is a missing value. At most 10,000 rows. With the extension of binary tensors the body is that JSON with `binary_data_size` in the place of `data`, and behind it the values, little-endian, not a number for a missing one; `Inference-Header-Content-Length` is how many bytes are JSON. The answer has that form where `binary_data` of an output, or `binary_data_output`, asks for it.

        `POST /v2/models/{model}/versions/{version}/infer`
        """
        return self._caller.call(routes.INFERENCE_INFER_VERSION, (model, version,), body=body, options=CallOptions(timeout_s, max_retries, headers))


class EngineApi:
    """The engine. It has no keys and stores nothing."""
    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.health = Health(caller)
        self.models = Models(caller)
        self.schema = Schema(caller)
        self.inference = Inference(caller)

    def predict(self, body: types.EngineInput, *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.EngineOutput:
        """Predict the health of one vehicle.
        Only `vehicleId` is required. Fields that cannot be used are dropped and named in `_validation.ignored`; other names are mapped and reported in `_schemaMapping`.

        `POST /v1/predict`
        """
        return self._caller.call(routes.PREDICT, body=body, options=CallOptions(timeout_s, max_retries, headers))

    def predict_batch(self, vehicles: Sequence[types.EngineInput], *, timeout_s: float | None = None, max_retries: int | None = None, headers: Mapping[str, str] | None = None) -> types.EngineBatchOutput:
        """Predict the health of any number of vehicles.
        Sent in parts of at most 1000, one after the other; what is returned names places in the whole.

        `POST /v1/predict/batch`
        """
        return self._caller.call_batch(routes.PREDICT_BATCH, vehicles, options=CallOptions(timeout_s, max_retries, headers))
