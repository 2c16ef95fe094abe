// An answer that is too long to be held in one piece. Its parts are made one after the other, as fast as the caller takes them in.

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Assumption: a caller that takes in no part in that time has gone, and its network has not reported it. */
const STALLED_MS = 60_000

export type Parts = AsyncGenerator<string | Uint8Array, void>

/**
 * The first part is made before anything is sent, so that what it throws is answered as any error. An error after that cuts the connection: an answer
 * that is not whole never looks like one that is. However it ends, `parts` is ended too.
 */
export async function sendInParts(reply: FastifyReply, parts: Parts, stalledMs = STALLED_MS): Promise<never> {
  const first = await parts.next()
  const stream: Readable = Readable.from(
    followed(first, parts, stalledMs, (error) => stream.destroy(error)),
    { objectMode: true },
  )
  // A caller that has gone already ends the stream before it was read: what follows the first part has not begun then, and ends nothing.
  stream.once('close', () => void parts.return().catch(() => undefined))
  return (await reply.send(stream)) as never
}

async function* followed(
  first: IteratorResult<string | Uint8Array, void>,
  parts: Parts,
  stalledMs: number,
  cutOff: (error: Error) => void,
): Parts {
  try {
    for (let part = first; part.done !== true; part = await parts.next()) {
      const timer = setTimeout(() => cutOff(new Error(`the caller took in nothing for ${stalledMs} ms`)), stalledMs)
      try {
        yield part.value
      } finally {
        clearTimeout(timer)
      }
    }
  } finally {
    await parts.return()
  }
}
