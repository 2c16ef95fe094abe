"""Asks an engine through the clients of Triton and of KServe, and prints what each of them read as one line of JSON.

Arguments: the engine's address, and a model of it that takes two features.
"""

import asyncio
import json
import sys

import kserve
import numpy as np
import tritonclient.http as triton

ADDRESS, MODEL = sys.argv[1], sys.argv[2]
# The last value is missing.
ROWS = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, np.nan]])


def as_list(values):
    return [None if np.isnan(value) else float(value) for value in values.ravel()]


def ask_triton():
    client = triton.InferenceServerClient(ADDRESS.removeprefix("http://"))
    metadata = client.get_model_metadata(MODEL)
    output = metadata["outputs"][0]["name"]
    seen = {
        "live": client.is_server_live(),
        "ready": client.is_server_ready(),
        "modelReady": client.is_model_ready(MODEL),
        "extensions": client.get_server_metadata()["extensions"],
        "answers": {},
    }

    def infer(rows, datatype, binary_data, outputs):
        tensor = triton.InferInput("features", list(rows.shape), datatype)
        tensor.set_data_from_numpy(rows, binary_data=binary_data)
        answer = client.infer(MODEL, [tensor], request_id="t-1", outputs=outputs)
        assert answer.get_response()["id"] == "t-1"
        return as_list(answer.as_numpy(output))

    seen["answers"]["as it does by itself"] = infer(ROWS, "FP64", True, None)
    seen["answers"]["single precision"] = infer(ROWS.astype(np.float32), "FP32", True, None)
    wanted = [triton.InferRequestedOutput(output, binary_data=False)]
    seen["answers"]["bytes in, JSON out"] = infer(ROWS, "FP64", True, wanted)
    # JSON has no word for a missing number that this client would write.
    seen["answers"]["JSON in, bytes out"] = infer(ROWS[:2], "FP64", False, None)
    whole = ROWS[:2].astype(np.int64)
    seen["answers"]["whole numbers"] = infer(whole, "INT64", True, wanted)
    try:
        client.infer("nobody", [triton.InferInput("features", [1, 2], "FP64").set_data_from_numpy(ROWS[:1])])
    except triton.InferenceServerException as error:
        seen["unknownModel"] = str(error)
    return seen


async def ask_kserve():
    client = kserve.InferenceRESTClient(kserve.RESTConfig(protocol="v2"))
    seen = {
        "live": await client.is_server_live(ADDRESS),
        "ready": await client.is_server_ready(ADDRESS),
        "modelReady": await client.is_model_ready(ADDRESS, MODEL),
        "answers": {},
    }

    async def infer(rows, binary_data, name=MODEL):
        tensor = kserve.InferInput("features", list(rows.shape), "FP64")
        tensor.set_data_from_numpy(rows, binary_data=binary_data)
        request = kserve.InferRequest(model_name=name, infer_inputs=[tensor], request_id="k-1")
        answer = await client.infer(ADDRESS, request, model_name=name)
        assert answer.id == "k-1"
        return as_list(answer.outputs[0].as_numpy())

    seen["answers"]["bytes in"] = await infer(ROWS, True)
    seen["answers"]["JSON in"] = await infer(ROWS[:2], False)
    try:
        await infer(ROWS, True, "nobody")
    except Exception as error:
        seen["unknownModel"] = str(error)
    await client.close()
    return seen


print(json.dumps({"triton": ask_triton(), "kserve": asyncio.run(ask_kserve())}))
