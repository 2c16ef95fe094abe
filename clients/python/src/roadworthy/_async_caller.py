"""Does the steps of a call on an event loop. `_sync_caller.py` is the same without `await`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, TypeVar, cast

import httpx

from ._answer import Cursors, page_of
from ._caller import LOSSES, Endpoint
from ._options import CallOptions
from ._outgoing import Call
from ._route import Route
from ._send import Answer, Lost, Pause, Reply, Send, Steps, is_cut
from ._streams import Decoder, EventDecoder, LineDecoder
from ._sync_caller import raise_closed
from .errors import ConnectionError, RoadworthyError

T = TypeVar("T")


class AsyncCaller:
    def __init__(self, endpoint: Endpoint, http: httpx.AsyncClient, sleep: Callable[[float], Awaitable[object]]) -> None:
        self._endpoint = endpoint
        self._http = http
        self._sleep = sleep

    async def call(
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
        return cast(T, await self._run(self._endpoint.json_steps(call)))

    async def call_batch(self, route: Route[T], items: Sequence[Any], *, options: CallOptions) -> T:
        return cast(T, await self._run(self._endpoint.batch_steps(route, items, options)))

    async def iterate(
        self,
        route: Route[Any],
        parameters: Sequence[object] = (),
        *,
        query: Mapping[str, object] | None = None,
        options: CallOptions,
    ) -> AsyncGenerator[Any, None]:
        cursors = Cursors()
        after: str | None = None
        while True:
            call = Call(route, parameters, {**(query or {}), "after": after}, options=options)
            page = page_of(await self._run(self._endpoint.json_steps(call)), route.items or "")
            for item in page.items:
                yield item
            if not page.has_next:
                return
            after = cursors.check(page.cursor)

    async def lines(self, route: Route[T], *, query: Mapping[str, object] | None = None, options: CallOptions) -> AsyncGenerator[T, None]:
        async with aclosing(self._stream(Call(route, (), query, options=options), LineDecoder(route))) as lines:
            async for line in lines:
                yield line

    async def follow(self, route: Route[T], *, query: Mapping[str, object] | None = None, options: CallOptions) -> AsyncGenerator[T, None]:
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
                async with aclosing(self._stream(Call(route, (), resumed, options=options), decoder)) as messages:
                    async for message in messages:
                        yield message
            except RoadworthyError as error:
                if not is_cut(error):
                    raise
                # What can be repeated of opening it was repeated; what is left is refused, or was cut off.
                cut = error
            cuts = 1 if decoder.count > 0 else cuts + 1
            if cuts > policy.max_retries:
                raise cut
            await self._sleep(policy.retry_delay_s)

    async def _stream(self, call: Call, decoder: Decoder) -> AsyncGenerator[Any, None]:
        response = (await self._run(self._endpoint.steps(call, is_streamed=True))).response
        if response is None:
            raise AssertionError("a stream has a response")
        try:
            async with _closing(response.aiter_bytes()) as pieces:
                while True:
                    piece = await self._next(pieces, call)
                    if piece is None:
                        decoder.finish()
                        return
                    for item in decoder.feed(piece):
                        yield item
        finally:
            # Leaving the loop early closes the connection.
            await response.aclose()

    async def _next(self, pieces: AsyncIterator[bytes], call: Call) -> bytes | None:
        try:
            return await anext(pieces, None)
        except LOSSES as error:
            broken = self._endpoint.broken(error, call.route, call.options)
        # Outside of the handler: the error of httpx holds the request, and that the key.
        raise broken

    async def _run(self, steps: Steps[T]) -> T:
        reply: Reply = None
        while True:
            try:
                step = steps.send(reply)
            except StopIteration as end:
                return cast(T, end.value)
            if isinstance(step, Pause):
                await self._sleep(step.seconds)
                reply = None
            else:
                reply = await self._perform(step)

    async def _perform(self, step: Send) -> Answer | Lost:
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
            response = await self._http.send(request, auth=self._endpoint.auth, follow_redirects=False, stream=True)
            if step.is_streamed and response.is_success:
                return Answer(response.status_code, response.headers, b"", response)
            try:
                body = await self._read(response, ends_s)
            finally:
                await response.aclose()
        except LOSSES as error:
            return self._endpoint.lost(error)
        return Answer(response.status_code, response.headers, body)

    async def _read(self, response: httpx.Response, ends_s: float) -> bytes:
        """httpx limits each wait for more; an answer that drips would last for ever."""
        pieces: list[bytes] = []
        async with _closing(response.aiter_bytes()) as arriving:
            async for piece in arriving:
                pieces.append(piece)
                if self._endpoint.monotonic() > ends_s:
                    raise httpx.ReadTimeout("the answer did not end in time")
        return b"".join(pieces)


def _closing(pieces: AsyncIterator[bytes]) -> aclosing[AsyncGenerator[bytes, None]]:
    """httpx has generators, and types them as iterators. One that is left early would be closed by the event loop, some time."""
    return aclosing(cast("AsyncGenerator[bytes, None]", pieces))
