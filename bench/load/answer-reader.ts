// Reads answers in a process of its own, so that what reading and keeping them costs is no part of what is measured. Takes requests as messages of its
// parent, one after the other, and ends with it.

import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

export type AnswerRequest = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Where the body goes; without it nothing of it is kept but its beginning. */
  readonly file?: string | undefined
}
export type ReadAnswer = { readonly status: number; readonly bytes: number; readonly beginning: string; readonly error?: string }

const BEGINNING_LENGTH = 300

async function read({ url, method, headers, body, file }: AnswerRequest): Promise<ReadAnswer> {
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
  let bytes = 0
  let beginning = ''
  async function* counted() {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (beginning.length < BEGINNING_LENGTH) beginning += new TextDecoder().decode(chunk.subarray(0, BEGINNING_LENGTH))
      yield chunk
    }
  }
  if (file === undefined) for await (const _ of counted());
  else await pipeline(counted(), createWriteStream(file))
  return { status: response.status, bytes, beginning: beginning.slice(0, BEGINNING_LENGTH) }
}

process.on('message', async (request: AnswerRequest) => {
  try {
    process.send?.(await read(request))
  } catch (error) {
    process.send?.({ status: 0, bytes: 0, beginning: '', error: String((error as Error).cause ?? error) } satisfies ReadAnswer)
  }
})
