// How the demo asks the service itself, as its first key, and the emulators, as their owner.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'

export type DemoApi = {
  readonly signal: AbortSignal
  /** Rejects with the answer of a refusal. `path` begins after `/api`. */
  call<T>(method: string, path: string, body?: object): Promise<T>
}

export class RefusedCall extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const CALL_MS = 30_000
const MOST_ATTEMPTS = 10
const POLL_MS = 1_000

export function createDemoApi(url: string, apiKey: string, signal: AbortSignal): DemoApi {
  return {
    signal,
    call: (method, path, body) => askJson(`${url}/api${path}`, { method, body, headers: { 'x-api-key': apiKey }, signal }),
  }
}

type Asked = {
  readonly method?: string
  readonly body?: object | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

export async function askJson<T>(url: string, { method = 'GET', body, headers = {}, signal }: Asked): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
  })
  const text = await response.text()
  if (!response.ok)
    throw new RefusedCall(response.status, `${method} ${new URL(url).pathname} answered ${response.status}: ${text.slice(0, 300)}`)
  return JSON.parse(text) as T
}

/** Asks until there is an answer. Rejects when there is none in time. */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | undefined>,
  { signal, patienceMs }: { readonly signal: AbortSignal; readonly patienceMs: number },
): Promise<T> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += POLL_MS) {
    const found = await ask()
    if (found !== undefined) return found
    await sleep(POLL_MS, undefined, { signal })
  }
  throw new Error(`${what} did not come in ${patienceMs / 1000} s`)
}

/** A machine with much to do fails a call of hundreds, and asks for it again. Never rejects: what is not done in the end is logged. */
export async function tryUntilDone(
  attempt: () => Promise<void>,
  { signal, pauseMs, log }: { readonly signal: AbortSignal; readonly pauseMs: number; readonly log: Pick<Logger, 'warn' | 'info'> },
): Promise<void> {
  for (let nth = 1; !signal.aborted; nth++) {
    try {
      return await attempt()
    } catch (err) {
      if (signal.aborted) return
      if (nth === MOST_ATTEMPTS) return log.warn({ err }, 'the SIMs and invoices of the demo are not complete; the next start tries again')
      log.info({ err }, 'the SIMs and invoices of the demo are not complete yet; they are gone on with')
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }
}
