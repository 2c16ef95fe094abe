"""
Any number of items in parts that the API takes, and the answers put together as if it had been one. Parts go one after the other: what is
refused for the limit of calls waits, and when one fails it is clear what was sent before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ._options import CallOptions, RetryPolicy
from ._outgoing import to_json
from ._route import Batch
from ._send import Pause, Steps
from .errors import BatchError, ConfigurationError, RoadworthyError, UnexpectedAnswerError, ValidationError

BatchAnswer = dict[str, Any]
"""Of records: with `results`. Of predictions: with an array that has an item for each input. Numbers add up."""

SendPart = Callable[[Sequence[Any], CallOptions], Steps[BatchAnswer]]

# For the brackets, the name of the array and the comma behind each item.
_AROUND_BYTES = 64


class Part(NamedTuple):
    begin: int
    items: list[Any]


class Answered(NamedTuple):
    begin: int
    answer: Mapping[str, Any]


def split_items(items: Sequence[Any], batch: Batch) -> list[Part]:
    """Parts within the limits, in order. An item that is too long by itself is a part of its own."""
    parts: list[Part] = []
    length = 0
    for i, item in enumerate(items):
        item_length = len(to_json(item)) + 1
        is_full = not parts or len(parts[-1].items) >= batch.max_items or length + item_length > batch.max_bytes
        if is_full:
            parts.append(Part(i, []))
            length = _AROUND_BYTES
        parts[-1].items.append(item)
        length += item_length
    return parts


def send_in_parts(
    items: Sequence[Any], batch: Batch, policy: RetryPolicy, options: CallOptions, send_part: SendPart
) -> Steps[BatchAnswer]:
    if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Sequence):
        raise ConfigurationError(f"{batch.key} must be a list, not {type(items).__name__}.")
    if not items:
        return _empty(batch.key)
    parts = split_items(items, batch)
    answers: list[Answered] = []
    refusal: ValidationError | None = None
    for i, part in enumerate(parts):
        try:
            answer = _checked((yield from send_part(part.items, _options_of_part(options, i, len(parts)))), len(part.items), batch.key)
        except RoadworthyError as error:
            results = _refused_one_by_one(error, len(part.items))
            if results is not None and isinstance(error, ValidationError):
                refusal = error
                answer = {"success": True, "processing_time_ms": 0, "results": results}
            elif answers:
                raise BatchError(error, _together(answers), part.begin, part.begin + len(part.items)) from error
            else:
                raise
        answers.append(Answered(part.begin, answer))
    whole = yield from _send_unavailable_again(_together(answers), items, batch, policy, options, send_part)
    if refusal is not None and whole.get("records_processed") == 0:
        raise _refusal_of_all(refusal, whole["results"])
    return whole


def _empty(key: str) -> BatchAnswer:
    """The service refuses an empty batch, and a caller's loop should not have to."""
    if key == "vehicles":
        return {"count": 0, "processingTimeMs": 0, "predictions": []}
    return {
        "success": True,
        "records_processed": 0,
        "records_rejected": 0,
        "duplicates": 0,
        "processing_time_ms": 0,
        "results": [],
    }


def _options_of_part(options: CallOptions, i: int, count: int) -> CallOptions:
    """The same items under the same key are the same parts under the same keys."""
    if options.idempotency_key is None or count == 1:
        return options
    return options._replace(idempotency_key=f"{options.idempotency_key}-{i}")


def _checked(answer: object, count: int, key: str) -> BatchAnswer:
    """What stands between here and the service may answer 200 with JSON of its own: only what answers each item is taken for an answer."""
    if isinstance(answer, dict):
        is_whole = _are_predictions(answer.get("predictions"), count) if key == "vehicles" else _are_results(answer.get("results"), count)
        if is_whole:
            return answer
    raise UnexpectedAnswerError(f"The answer is none to a batch of {count} {key}.", code="unexpected_answer")


def _are_predictions(predictions: object, count: int) -> bool:
    return isinstance(predictions, list) and len(predictions) == count and all(isinstance(each, dict) for each in predictions)


def _are_results(results: object, count: int) -> bool:
    """One for each record."""
    if not isinstance(results, list) or len(results) != count:
        return False
    places = [result.get("index") if isinstance(result, dict) else None for result in results]
    return all(type(place) is int for place in places) and set(places) == set(range(count))


def _refused_one_by_one(error: RoadworthyError, count: int) -> list[Any] | None:
    """A part of which nothing could be stored is 400 with the reason for each record: as good as an answer."""
    results = (error.details or {}).get("results")
    return results if isinstance(error, ValidationError) and _are_results(results, count) else None


def _refusal_of_all(refusal: ValidationError, results: list[Any]) -> ValidationError:
    return ValidationError(
        refusal.message,
        code=refusal.code,
        status=refusal.status,
        request_id=refusal.request_id,
        details={**(refusal.details or {}), "results": results},
    )


def _together(answers: Sequence[Answered]) -> BatchAnswer:
    """Numbers add up, arrays follow each other with places in the whole."""
    whole: BatchAnswer = {}
    for begin, answer in answers:
        for name, value in answer.items():
            before = whole.get(name)
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                whole[name] = (before if isinstance(before, (int, float)) else 0) + value
            elif isinstance(value, list):
                whole[name] = [*(before if isinstance(before, list) else []), *(_at_place(item, begin) for item in value)]
            else:
                whole[name] = value
    return _counted(whole)


def _at_place(item: Any, begin: int) -> Any:
    is_result = isinstance(item, dict) and "status" in item and isinstance(item.get("index"), int)
    return {**item, "index": item["index"] + begin} if is_result else item


def _counted(whole: BatchAnswer) -> BatchAnswer:
    results = whole.get("results")
    if not isinstance(results, list):
        return whole
    statuses = [result.get("status") if isinstance(result, dict) else None for result in results]
    rejected = statuses.count("rejected")
    counts = {"records_processed": len(results) - rejected, "records_rejected": rejected, "duplicates": statuses.count("duplicate")}
    return {**whole, **counts}


def _is_unavailable(result: Any) -> bool:
    if not isinstance(result, dict) or result.get("status") != "rejected":
        return False
    error = result.get("error")
    return isinstance(error, dict) and error.get("code") == "unavailable"


def _send_unavailable_again(
    whole: BatchAnswer,
    items: Sequence[Any],
    batch: Batch,
    policy: RetryPolicy,
    options: CallOptions,
    send_part: SendPart,
) -> Steps[BatchAnswer]:
    """
    Records that met a lock are refused as `unavailable` and are to be sent once more, without the others and under another key
    (docs/errors.md). What does not get through stays refused in the answer, which is what the caller has to look at anyway.
    """
    for _ in range(policy.max_retries):
        results = whole.get("results") or []
        waiting = [result["index"] for result in results if _is_unavailable(result)]
        if not waiting:
            return whole
        yield Pause(policy.retry_delay_s)
        for part in split_items([items[i] for i in waiting], batch):
            try:
                answer = yield from send_part(part.items, options._replace(idempotency_key=None))
                renewed = _checked(answer, len(part.items), batch.key)["results"]
            except RoadworthyError as error:
                refused = _refused_one_by_one(error, len(part.items))
                if refused is None:
                    return whole
                renewed = refused
            whole = _replaced(whole, waiting[part.begin :], renewed)
    return whole


def _replaced(whole: BatchAnswer, places: Sequence[int], renewed: Sequence[Any]) -> BatchAnswer:
    """The answer with the results of a part that was sent again. `places` are those of its records in the whole."""
    by_index = {places[result["index"]]: {**result, "index": places[result["index"]]} for result in renewed}
    return _counted({**whole, "results": [by_index.get(result["index"], result) for result in whole["results"]]})
