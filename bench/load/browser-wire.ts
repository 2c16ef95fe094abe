import type { CDPSession, Page } from 'playwright-core'

/** Bytes as they come over the wire, headers included, and messages of the stream. */
export class BrowserWire {
  bytes = 0
  streamBytes = 0
  messages = 0
  readonly asked = new Map<string, number>()
  readonly #session: CDPSession

  private constructor(session: CDPSession) {
    this.#session = session
    const streams = new Set<string>()
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/api/v1/stream') streams.add(requestId)
      this.asked.set(pathname, (this.asked.get(pathname) ?? 0) + 1)
    })
    const compressed = new Set<string>()
    session.on('Network.responseReceived', ({ requestId, response: { headers } }) => {
      if (Object.keys(headers).some((name) => name.toLowerCase() === 'content-encoding')) compressed.add(requestId)
    })
    session.on('Network.dataReceived', ({ requestId, encodedDataLength, dataLength }) => {
      if (!streams.has(requestId)) return
      // Of a stream that is not compressed Chromium counts no encoded bytes: it comes as it is.
      this.streamBytes += compressed.has(requestId) ? encodedDataLength : dataLength
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (!streams.has(requestId)) this.bytes += encodedDataLength
    })
    session.on('Network.eventSourceMessageReceived', () => {
      this.messages++
    })
  }

  static async of(page: Page): Promise<BrowserWire> {
    const session = await page.context().newCDPSession(page)
    const wire = new BrowserWire(session)
    await session.send('Network.enable')
    await session.send('Performance.enable')
    return wire
  }

  reset(): void {
    this.bytes = 0
    this.streamBytes = 0
    this.messages = 0
    this.asked.clear()
  }

  /** Seconds that the main thread has worked so far. */
  async busyS(): Promise<number> {
    const { metrics } = await this.#session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
}
