import { checkAddress } from './address.ts'
import { type Clock, systemClock } from './clock.ts'
import { ConfigurationError } from './errors.ts'
import { defaultPolicy, type RetryPolicy } from './retry-policy.ts'

export type ClientOptions = { readonly [Name in keyof RetryPolicy]?: RetryPolicy[Name] | undefined } & {
  /** Where the service is, without a path of its API: `https://fleet.example.com`. */
  readonly baseUrl?: string | undefined
  /** Goes with `baseUrl`, and is sent nowhere else. */
  readonly apiKey?: string | undefined
  /** Where the engine is, for `engine`. It takes no key and is sent none. */
  readonly engineUrl?: string | undefined
  /** Another `fetch`, for example through a proxy. */
  readonly fetch?: typeof fetch | undefined
  /** Another clock, for tests. */
  readonly clock?: Clock | undefined
}

export type CheckedOptions = {
  readonly service: { readonly baseUrl: string; readonly apiKey: string } | undefined
  readonly engineUrl: string | undefined
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly policy: RetryPolicy
}

/** What a header can carry, and no key of ours has: spaces, and what is not ASCII. */
const NO_KEY = /[^\x21-\x7e]/

export function checkOptions(options: ClientOptions): CheckedOptions {
  const { baseUrl, apiKey, engineUrl, clock = systemClock } = options
  const call = options.fetch ?? globalThis.fetch
  if (typeof call !== 'function') throw new ConfigurationError('There is no fetch here: use Node 20 or newer, or give one as `fetch`.')
  if (baseUrl === undefined && apiKey !== undefined) throw new ConfigurationError('apiKey goes with baseUrl, which is missing.')
  if (baseUrl === undefined && engineUrl === undefined)
    throw new ConfigurationError('Give baseUrl with apiKey, or engineUrl, or all three.')
  return {
    service: baseUrl === undefined ? undefined : { baseUrl: checkAddress('baseUrl', baseUrl), apiKey: checkKey(apiKey) },
    engineUrl: engineUrl === undefined ? undefined : checkAddress('engineUrl', engineUrl),
    // `fetch` of a browser must not be called as a method of something else.
    fetch: (input, init) => call(input, init),
    clock,
    policy: checkPolicy(options),
  }
}

function checkKey(key: unknown): string {
  if (typeof key !== 'string' || key === '') {
    throw new ConfigurationError(
      'apiKey is missing. Keys are made in the dashboard under Settings, API keys; keep yours in the environment.',
    )
  }
  if (NO_KEY.test(key))
    throw new ConfigurationError('apiKey has a space, a line break or another character that no key has. Was it read from a file?')
  return key
}

export function checkPolicy(options: ClientOptions): RetryPolicy {
  const policy: { -readonly [Name in keyof RetryPolicy]: number } = { ...defaultPolicy }
  for (const name of Object.keys(defaultPolicy) as (keyof RetryPolicy)[]) {
    const value = options[name] ?? defaultPolicy[name]
    const isCount = name === 'maxRetries'
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0 || (isCount && !Number.isInteger(value))) {
      throw new ConfigurationError(`${name} must be ${isCount ? 'a whole number' : 'a number of milliseconds'}, 0 or more.`)
    }
    policy[name] = value
  }
  if (policy.timeoutMs === 0 || policy.totalTimeoutMs === 0)
    throw new ConfigurationError('timeoutMs and totalTimeoutMs must be more than 0.')
  return policy
}
