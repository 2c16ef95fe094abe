// The end of an HTTP server that has callers. Node stops listening, closes what is idle at that moment and waits for the rest for as long
// as the rest likes: a connection that becomes idle later stays for the whole keep-alive time, a request of which half has come for the
// whole request time. Neither may hold up a stop.

import type { FastifyInstance } from 'fastify'

/** Requests take milliseconds. What is open after this is a caller that does not finish what it began, or does not read its answer. */
const OPEN_REQUESTS_MS = 2_000
const IDLE_CHECK_MS = 50

type Closing = Pick<FastifyInstance, 'addHook' | 'server'>

/** Makes `app.close()` end soon after the last answer, and in any case within `openRequestsMs`. */
export function closeInTime(app: Closing, openRequestsMs = OPEN_REQUESTS_MS): void {
  app.addHook('preClose', (done) => {
    const { server } = app
    if (server.listening) {
      const becameIdle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
      const stillOpen = setTimeout(() => server.closeAllConnections(), openRequestsMs)
      server.once('close', () => {
        clearInterval(becameIdle)
        clearTimeout(stillOpen)
      })
    }
    done()
  })
}
