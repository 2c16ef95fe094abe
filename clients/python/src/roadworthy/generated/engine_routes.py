# Written by `npm run openapi` from docs/openapi/engine.json and the table of methods. Changes belong there.
from __future__ import annotations

from typing import TYPE_CHECKING

from .._route import Batch, Route

if TYPE_CHECKING:
    from . import engine_types as types

HEALTH_GET: Route[types.EngineHealth] = Route("GET", "/v1/health")
HEALTH_LIVE: Route[types.EngineLive] = Route("GET", "/livez")
HEALTH_READY: Route[types.EngineLive] = Route("GET", "/readyz")
PREDICT: Route[types.EngineOutput] = Route("POST", "/v1/predict")
PREDICT_BATCH: Route[types.EngineBatchOutput] = Route("POST", "/v1/predict/batch", batch=Batch("vehicles", 1000, 16777216))
MODELS_LIST: Route[types.EngineModels] = Route("GET", "/v1/models")
SCHEMA_INPUT: Route[types.JsonSchema] = Route("GET", "/v1/schema/input")
SCHEMA_OUTPUT: Route[types.JsonSchema] = Route("GET", "/v1/schema/output")
SCHEMA_ALIASES: Route[types.EngineAliases] = Route("GET", "/v1/schema/aliases")
SCHEMA_STATISTICS: Route[types.EngineStatistics] = Route("GET", "/v1/schema/statistics")
INFERENCE_SERVER: Route[types.ServerMetadata] = Route("GET", "/v2")
INFERENCE_LIVE: Route[types.ServerLive] = Route("GET", "/v2/health/live")
INFERENCE_READY: Route[types.ServerReady] = Route("GET", "/v2/health/ready")
INFERENCE_MODEL: Route[types.ModelMetadata] = Route("GET", "/v2/models/{model}")
INFERENCE_MODEL_READY: Route[types.ModelReady] = Route("GET", "/v2/models/{model}/ready")
INFERENCE_INFER: Route[types.InferResponse | bytes] = Route("POST", "/v2/models/{model}/infer", answers=("json", "bytes",), binary_type="application/octet-stream")
INFERENCE_MODEL_VERSION: Route[types.ModelMetadata] = Route("GET", "/v2/models/{model}/versions/{version}")
INFERENCE_MODEL_VERSION_READY: Route[types.ModelReady] = Route("GET", "/v2/models/{model}/versions/{version}/ready")
INFERENCE_INFER_VERSION: Route[types.InferResponse | bytes] = Route("POST", "/v2/models/{model}/versions/{version}/infer", answers=("json", "bytes",), binary_type="application/octet-stream")
