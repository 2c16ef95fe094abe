import { buildSurface } from './build-surface.ts'
import { type Endpoint, surfaceCaller } from './call-surface.ts'
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
import type { RouteTable } from './route.ts'

/**
 * A client of one Roadworthy: `new Roadworthy({ baseUrl, apiKey })`. It may be shared, keeps nothing between calls, and shows its key
 * nowhere: not when it is logged, and in no error.
 */
export class Roadworthy {
  readonly #external: External.Api | undefined
  readonly #platform: Platform.Api | undefined
  readonly #simBilling: SimBilling.Api | undefined
  readonly #engine: Engine.Api | undefined

  constructor(options: ClientOptions) {
    const checked = checkOptions(options)
    const { service, engineUrl } = checked
    if (service !== undefined) {
      const { apiKey } = service
      const surface = <Api>(routes: RouteTable, authorize: Endpoint['authorize']) =>
        buildSurface<Api>(
          routes,
          surfaceCaller({ baseUrl: service.baseUrl, authorize, redact: (text) => text.replaceAll(apiKey, '[API key]') }, checked),
        )
      const byKey: Endpoint['authorize'] = (headers) => headers.set('x-api-key', apiKey)
      this.#external = surface(externalRoutes, byKey)
      this.#simBilling = surface(simBillingRoutes, byKey)
      this.#platform = surface(platformRoutes, (headers) => headers.set('authorization', `Bearer ${apiKey}`))
    }
    if (engineUrl !== undefined) {
      this.#engine = buildSurface(
        engineRoutes,
        surfaceCaller({ baseUrl: engineUrl, authorize: () => undefined, redact: (text) => text }, checked),
      )
    }
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
