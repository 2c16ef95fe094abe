// For tests only: a reader of the stream over a real connection, as EventSource reads it.

import { clearTimeout, setTimeout } from 'node:timers'

export type Message = { readonly name: string; readonly id: string | undefined; readonly data: Record<string, unknown> }

export class StreamReader {
  readonly messages: Message[] = []
  readonly ended: Promise<void>
  readonly #stopping: AbortController
  #waiting: (() => void)[] = []
  hasEnded = false
  /** As a browser keeps it: also of blocks without data. */
  lastEventId: string | undefined

  constructor(body: ReadableStream<Uint8Array>, stopping: AbortController) {
    this.#stopping = stopping
    this.ended = this.#read(body).finally(() => {
      this.hasEnded = true
      this.#wake()
    })
  }

  of(name: string): Message[] {
    return this.messages.filter((message) => message.name === name)
  }

  /** Resolves when this holds, which is looked at after each message. Rejects where the stream ends first, or it takes long. */
  async until(holds: () => boolean, what = holds.toString()): Promise<void> {
    const giveUpAtMs = performance.now() + 120_000
    while (!holds()) {
      const had = () => JSON.stringify(this.messages).slice(0, 2000)
      if (this.hasEnded) throw new Error(`the stream ended before ${what}; it had ${had()}`)
      const leftMs = giveUpAtMs - performance.now()
      if (leftMs <= 0) throw new Error(`waited in vain for ${what}; it had ${had()}`)
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, leftMs)
      this.#waiting.push(resolve)
      await promise.finally(() => clearTimeout(timer))
    }
  }

  async cut(): Promise<void> {
    this.#stopping.abort()
    await this.ended
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    let text = ''
    try {
      for await (const chunk of body) {
        text += decoder.decode(chunk, { stream: true })
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) this.#take(block)
        this.#wake()
      }
    } catch (error) {
      if (!this.#stopping.signal.aborted) throw error
    }
  }

  #take(block: string): void {
    const field = (name: string) =>
      block
        .split('\n')
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2)
    const id = field('id')
    if (id !== undefined) this.lastEventId = id
    const data = field('data')
    if (data !== undefined) this.messages.push({ name: field('event') ?? 'message', id, data: JSON.parse(data) as Record<string, unknown> })
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

export async function openReader(url: string, headers: Record<string, string>): Promise<{ response: Response; reader: StreamReader }> {
  const stopping = new AbortController()
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: stopping.signal })
  if (response.body === null) throw new Error('an answer without a body')
  return { response, reader: new StreamReader(response.body, stopping) }
}
