import { buildSurface } from './build-surface.ts'
import { type SurfaceCaller, surfaceCaller } from './call-surface.ts'
import { type ClientOptions, checkOptions } from './client-options.ts'
import { ConfigurationError } from './errors.ts'
import { engineRoutes } from './generated/engine-routes.ts'
import type * as Engine from './generated/engine-types.ts'
import { externalRoutes } from './generated/external-routes.ts'
import type * as External from './generated/external-types.ts'
import { platformRoutes } from './generated/platform-routes.ts'
import type * as Platform from './generated/platform-types.ts'
import { simBillingRoutes } from './generated/sim-billing-routes.ts'
import type * as SimBilling from './generated/sim-billing-types.ts'
import { readAnswer } from './read-answer.ts'
import type { WriteOptions } from './request-options.ts'
import type { HttpMethod, Route } from './route.ts'

export type UnknownRequest = WriteOptions & { readonly query?: Readonly<Record<string, unknown>>; readonly body?: unknown }

/**
 * A client of one Roadworthy: `new Roadworthy({ baseUrl, apiKey })`. It may be shared, keeps nothing between calls, and shows its key
 * nowhere: not when it is logged, and in no error.
 */
export class Roadworthy {
  readonly #external: External.Api | undefined
  readonly #platform: Platform.Api | undefined
  readonly #simBilling: SimBilling.Api | undefined
  readonly #engine: Engine.Api | undefined
  readonly #caller: SurfaceCaller | undefined

  constructor(options: ClientOptions) {
    const checked = checkOptions(options)
    const { service, engineUrl } = checked
    if (service !== undefined) {
      const { baseUrl, apiKey } = service
      const redact = (text: string) => text.replaceAll(apiKey, '[API key]')
      const byKey = surfaceCaller({ baseUrl, redact, authorize: (headers) => headers.set('x-api-key', apiKey) }, checked)
      const byToken = surfaceCaller({ baseUrl, redact, authorize: (headers) => headers.set('authorization', `Bearer ${apiKey}`) }, checked)
      this.#external = buildSurface(externalRoutes, byKey)
      this.#simBilling = buildSurface(simBillingRoutes, byKey)
      this.#platform = buildSurface(platformRoutes, byToken)
      this.#caller = byToken
    }
    if (engineUrl !== undefined) {
      this.#engine = buildSurface(
        engineRoutes,
        surfaceCaller({ baseUrl: engineUrl, authorize: () => undefined, redact: (text) => text }, checked),
      )
    }
  }

  /**
   * An operation that this package does not know yet: `request('GET', '/api/v1/geofences', { query: { limit: 10 } })`. It is answered with the JSON
   * of the service; repeats, time-outs, errors and the `Idempotency-Key` of a POST are as everywhere.
   */
  async request<Answer = unknown>(method: HttpMethod, path: string, options: UnknownRequest = {}): Promise<Answer> {
    const caller = required(this.#caller, 'baseUrl and apiKey were')
    // Anything else would be read as a part of the host.
    if (!/^\/api\/[^?#{}\\]+$/.test(path)) throw new ConfigurationError('path must begin with /api/, and have neither a query nor braces.')
    const { query, body, ...rest } = options
    const route: Route = { method, path, takesKey: method === 'POST' }
    return await caller.call({ route, parameters: [], query, body, options: rest }, async (response) => {
      return (await readAnswer(response, route, caller.redact)) as Answer
    })
  }

  /** Sub-clients, devices, vehicles and their readings. */
  get external(): External.Api {
    return required(this.#external, 'baseUrl and apiKey were')
  }

  /** What the dashboard does: health, incidents, maintenance, webhooks, people, keys. */
  get platform(): Platform.Api {
    return required(this.#platform, 'baseUrl and apiKey were')
  }

  /** SIMs, invoices and payments. */
  get simBilling(): SimBilling.Api {
    return required(this.#simBilling, 'baseUrl and apiKey were')
  }

  /** Predictions of the engine itself, which is asked without a key. */
  get engine(): Engine.Api {
    return required(this.#engine, 'engineUrl was')
  }
}

function required<Api>(surface: Api | undefined, missing: string): Api {
  if (surface === undefined) throw new ConfigurationError(`${missing} not given to this client.`)
  return surface
}
