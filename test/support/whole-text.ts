// For tests: what a process sends that may be killed while it does.

import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/** The body of a request; undefined where it was cut off. */
export async function wholeText(request: IncomingMessage): Promise<string | undefined> {
  return await text(request).catch((error: unknown) => {
    if (request.complete) throw error
    return undefined
  })
}
