import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChangeDemoFleetRequest, DemoFleet } from '@roadworthy/contracts/platform-v1/demo-fleet'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { authorOf, writeAudit } from '../../audit/audit.ts'
import type { Caller } from '../../keys/caller.ts'
import { DEMO_VEHICLES, type DemoFleetControl } from './demo-fleet.ts'

/** As of keys and people: it registers devices and vehicles in the reseller's name. */
const DEMO_SCOPE = '*'
const tags = ['Vehicles']

export type DemoFleetRoutesDeps = { readonly database: Database; readonly demoFleet: DemoFleetControl; readonly now: () => Date }

export function demoFleetPlatformRoutes({ database, demoFleet, now }: DemoFleetRoutesDeps): FastifyPluginAsyncTypebox {
  // It is of the whole reseller: for a key of one sub-client there is none.
  const stateFor = ({ resellerId, subClientPin }: Caller) => (subClientPin === undefined ? demoFleet.stateFor(resellerId) : 'unavailable')
  const describe = (caller: Caller) => ({ state: stateFor(caller), vehicles: DEMO_VEHICLES })
  return async (app) => {
    app.get(
      '/demo-fleet',
      {
        config: { scope: DEMO_SCOPE },
        schema: {
          operationId: 'getDemoFleet',
          summary: 'Whether a demo fleet drives',
          description: 'Vehicles that drive, wear and raise alerts, for trying the service without a device.',
          tags,
          response: { 200: DemoFleet, ...errorResponses() },
        },
      },
      async ({ caller }) => describe(caller),
    )
    app.put(
      '/demo-fleet',
      {
        config: { scope: DEMO_SCOPE },
        schema: {
          operationId: 'putDemoFleet',
          summary: 'Start or stop the demo fleet',
          description:
            'Its devices and vehicles are registered like any other, count as the reseller’s own, and stay when it is stopped. It stops with ' +
            'the service, and is not started with it again. Where there is none to start or stop, 409 `conflict`.',
          tags,
          body: ChangeDemoFleetRequest,
          response: { 200: DemoFleet, ...errorResponses(409) },
        },
      },
      async (request) => {
        const { caller, body } = request
        const { resellerId } = caller
        const { running } = body
        const state = stateFor(caller)
        const isRunning = state === 'running' || state === 'always'
        if (running === isRunning) return describe(caller)
        if (state === 'unavailable') throw new Problem('conflict', 'This service has no demo fleet to start for you.')
        if (state === 'always') throw new Problem('conflict', 'The demo fleet runs with the service: start it with DEMO=off to be without.')
        const action = running ? 'demo_fleet.started' : 'demo_fleet.stopped'
        await database.tenant(resellerId, (db) => writeAudit(db, authorOf(request, now()), { action, objectId: resellerId }))
        await demoFleet.setRunning(running)
        return describe(caller)
      },
    )
  }
}
