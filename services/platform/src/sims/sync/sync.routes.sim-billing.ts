import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/sim-billing/errors'
import { LatestSync, SyncAnswer, SyncParams, SyncRequest, SyncShown, type Sync as WireSync } from '@roadworthy/contracts/sim-billing/sync'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { isStorable } from '@roadworthy/service-kit/text/storable-text'
import { authorOf } from '../../audit/audit.ts'
import type { Caller } from '../../keys/caller.ts'
import { awaitSync, type BeginDeps, beginSync } from './begin-sync.ts'
import { noSuchSync, type Sync } from './sync.ts'
import { selectNewestSync, selectSync } from './syncs.sql.ts'

export type SyncRoutesDeps = BeginDeps & { readonly now: () => Date }

const tags = ['Operators']

export function syncSimBillingRoutes(deps: SyncRoutesDeps): FastifyPluginAsyncTypebox {
  const { database, now } = deps
  return async (app) => {
    app.post(
      '/sync',
      {
        config: { scope: 'billing:write', bodyMayBeMissing: true },
        schema: {
          operationId: 'startSync',
          tags,
          summary: 'Synchronise with the operators’ platforms',
          description:
            'One run at a time of each reseller: asked for again meanwhile, it answers that one. It goes on by itself when this answer is given, also in another process.',
          body: SyncRequest,
          response: { 200: SyncAnswer, ...errorResponses(404) },
        },
      },
      async (request) => {
        refusePinned(request.caller)
        const { sync, isAlreadyRunning } = await beginSync(deps, request.body, authorOf(request, now()))
        const shown = isAlreadyRunning ? sync : await awaitSync(database, sync, request.signal)
        return { success: true as const, sync: toWireSync(shown ?? sync), already_running: isAlreadyRunning }
      },
    )
    app.get(
      '/sync',
      {
        config: { scope: 'billing:read' },
        schema: {
          operationId: 'getLatestSync',
          tags,
          summary: 'Get the newest run of the synchronisation',
          response: { 200: LatestSync, ...errorResponses() },
        },
      },
      async ({ caller }) => {
        const isPinned = caller.subClientPin !== undefined
        const sync = isPinned ? undefined : await selectNewestSync(database.tenantPool(caller.resellerId), caller.resellerId)
        return { success: true as const, sync: sync === undefined ? null : toWireSync(sync) }
      },
    )
    app.get(
      '/sync/:sync_id',
      {
        config: { scope: 'billing:read' },
        schema: {
          operationId: 'getSync',
          tags,
          summary: 'Get a run of the synchronisation',
          params: SyncParams,
          response: { 200: SyncShown, ...errorResponses(404) },
        },
      },
      async ({ caller, params }) => {
        const isPossible = caller.subClientPin === undefined && isStorable(params.sync_id)
        const sync = isPossible ? await selectSync(database.tenantPool(caller.resellerId), caller.resellerId, params.sync_id) : undefined
        if (sync === undefined) throw noSuchSync()
        return { success: true as const, sync: toWireSync(sync) }
      },
    )
  }
}

/** Runs are the reseller's: to a key of one sub-client there are none, and it begins none. */
function refusePinned({ subClientPin }: Pick<Caller, 'subClientPin'>): void {
  if (subClientPin === undefined) return
  throw new Problem('missing_scope', 'This key belongs to one sub-client; SIMs are synchronised for the whole reseller.', {
    details: { required_scope: 'billing:write' },
  })
}

function toWireSync({ counts, ...sync }: Sync): WireSync {
  const { seen, created, updated, unchanged, failed, usageUpdated } = counts
  return {
    id: sync.syncId,
    status: sync.status,
    scope: sync.scope,
    full: sync.isFull,
    connection_id: sync.onlyConnectionId ?? null,
    started_at: sync.startedAt.toISOString(),
    finished_at: sync.finishedAt?.toISOString() ?? null,
    sims: { seen, created, updated, unchanged, failed },
    usage: { updated: usageUpdated },
    errors: sync.errors.map(({ iccid, connectionId, code, message }) => {
      return { iccid: iccid ?? null, connection_id: connectionId ?? null, code, message }
    }),
  }
}
