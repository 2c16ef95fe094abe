import { RequestLog } from '../requests/request-log.ts'
import { createAccess } from '../surfaces/access.ts'
import type { Part } from './part.ts'
import type { PlatformOptions, SharedParts } from './shared-parts.ts'

export type Callers = ReturnType<typeof createCallers>

/** Who calls: their keys and sessions, their limits, and the log of their calls. For processes that answer requests. */
export function createCallers({ settings, secretKey, log, now }: PlatformOptions, shared: SharedParts) {
  const { database, signInDatabase, publicDatabase, notifications, notices } = shared
  const access = createAccess({
    ...{ database, signInDatabase, publicDatabase, notifications, now, post: notices, secretKey },
    onUnmailed: (email) =>
      log.warn({ email }, 'somebody asked to set a new password and no mail was sent; "npx roadworthy users reset-password" makes a link'),
    authFailuresPerMinute: settings.authFailuresPerMinute,
    onError: (err) => log.error({ err }, 'counts could not be written; they are kept and tried again'),
  })
  const requestLog = new RequestLog({ database, onError: (err) => log.warn({ err }, 'calls of a second are missing from the request log') })
  shared.metrics.gauge('fleet_request_log_left_out_calls', 'Calls that were too many for the request log, since the start.', () => {
    return requestLog.leftOutCount()
  })
  const closes: Part[] = [
    { name: 'access', stop: () => access.close() },
    { name: 'request log', stop: () => requestLog.close() },
  ]
  return { access, requestLog, closes }
}
