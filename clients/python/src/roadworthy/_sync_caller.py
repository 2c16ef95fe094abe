"""Does the steps of a call in the thread of the caller. `_async_caller.py` is the same with `await`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeVar, cast

import httpx

from ._answer import Cursors, page_of
from ._caller import LOSSES, Endpoint
from ._options import CallOptions
from ._outgoing import Call
from ._route import Route
from ._send import Answer, Lost, Pause, Reply, Send, Steps, is_cut
from ._streams import Decoder, EventDecoder, LineDecoder
from .errors import ConfigurationError, ConnectionError, RoadworthyError

T = TypeVar("T")


class Caller:
    def __init__(self, endpoint: Endpoint, http: httpx.Client, sleep: Callable[[float], object]) -> None:
        self._endpoint = endpoint
        self._http = http
        self._sleep = sleep

    def call(
        self,
        route: Route[T],
        parameters: Sequence[object] = (),
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        content_type: str | None = None,
        accept: str | None = None,
        options: CallOptions,
    ) -> T:
        call = Call(route, parameters, query, body, content_type, accept, options)
        return cast(T, self._run(self._endpoint.json_steps(call)))

    def call_batch(self, route: Route[T], items: Sequence[Any], *, options: CallOptions) -> T:
        return cast(T, self._run(self._endpoint.batch_steps(route, items, options)))

    def iterate(
        self,
        route: Route[Any],
        parameters: Sequence[object] = (),
        *,
        query: Mapping[str, object] | None = None,
        options: CallOptions,
    ) -> Generator[Any, None, None]:
        cursors = Cursors()
        after: str | None = None
        while True:
            call = Call(route, parameters, {**(query or {}), "after": after}, options=options)
            page = page_of(self._run(self._endpoint.json_steps(call)), route.items or "")
            yield from page.items
            if not page.has_next:
                return
            after = cursors.check(page.cursor)

    def lines(self, route: Route[T], *, query: Mapping[str, object] | None = None, options: CallOptions) -> Generator[T, None, None]:
        yield from self._stream(Call(route, (), query, options=options), LineDecoder(route))

    def follow(self, route: Route[T], *, query: Mapping[str, object] | None = None, options: CallOptions) -> Generator[T, None, None]:
        """
        Ends by `break`, or with an error: of a refusal, or when there was no message between `max_retries` cuts in a row. A silent stream is not a
        cut: the service sends a comment every 20 s, which `timeout_s` is measured by.
        """
        policy = self._endpoint.policy.of_call(options)
        decoder = EventDecoder(route)
        cuts = 0
        cut: RoadworthyError = ConnectionError(f"The stream ended ({route.operation}).", code="connection_failed")
        while True:
            resumed = {**(query or {})} if decoder.last_id is None else {**(query or {}), "lastEventId": decoder.last_id}
            decoder.restart()
            try:
                yield from self._stream(Call(route, (), resumed, options=options), decoder)
            except RoadworthyError as error:
                if not is_cut(error):
                    raise
                # What can be repeated of opening it was repeated; what is left is refused, or was cut off.
                cut = error
            cuts = 1 if decoder.count > 0 else cuts + 1
            if cuts > policy.max_retries:
                raise cut
            self._sleep(policy.retry_delay_s)

    def _stream(self, call: Call, decoder: Decoder) -> Generator[Any, None, None]:
        response = self._run(self._endpoint.steps(call, is_streamed=True)).response
        if response is None:
            raise AssertionError("a stream has a response")
        pieces = response.iter_bytes()
        try:
            while True:
                piece = self._next(pieces, call)
                if piece is None:
                    decoder.finish()
                    return
                yield from decoder.feed(piece)
        finally:
            # Leaving the loop early closes the connection.
            response.close()

    def _next(self, pieces: Iterator[bytes], call: Call) -> bytes | None:
        try:
            return next(pieces, None)
        except LOSSES as error:
            broken = self._endpoint.broken(error, call.route, call.options)
        # Outside of the handler: the error of httpx holds the request, and that the key.
        raise broken

    def _run(self, steps: Steps[T]) -> T:
        reply: Reply = None
        while True:
            try:
                step = steps.send(reply)
            except StopIteration as end:
                return cast(T, end.value)
            if isinstance(step, Pause):
                self._sleep(step.seconds)
                reply = None
            else:
                reply = self._perform(step)

    def _perform(self, step: Send) -> Answer | Lost:
        if self._http.is_closed:
            raise_closed()
        outgoing = step.outgoing
        ends_s = self._endpoint.monotonic() + step.limit_s
        try:
            request = self._http.build_request(
                outgoing.method,
                outgoing.url,
                headers=dict(outgoing.headers),
                content=outgoing.content,
                timeout=step.limit_s,
            )
            # A redirect would take the key to another host. The API has none.
            response = self._http.send(request, auth=self._endpoint.auth, follow_redirects=False, stream=True)
            if step.is_streamed and response.is_success:
                return Answer(response.status_code, response.headers, b"", response)
            try:
                body = self._read(response, ends_s)
            finally:
                response.close()
        except LOSSES as error:
            return self._endpoint.lost(error)
        return Answer(response.status_code, response.headers, body)

    def _read(self, response: httpx.Response, ends_s: float) -> bytes:
        """httpx limits each wait for more; an answer that drips would last for ever."""
        pieces: list[bytes] = []
        for piece in response.iter_bytes():
            pieces.append(piece)
            if self._endpoint.monotonic() > ends_s:
                raise httpx.ReadTimeout("the answer did not end in time")
        return b"".join(pieces)


def raise_closed() -> NoReturn:
    raise ConfigurationError("This client is closed. Make another, or call it inside its `with`.")
