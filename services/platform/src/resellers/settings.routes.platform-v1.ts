import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { MaintenanceSettings } from '@roadworthy/contracts/platform-v1/settings'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { authorOf } from '../audit/audit.ts'
import { requireReseller, updateReseller } from './resellers.ts'

const tags = ['Maintenance']

/** What a reseller sets for all of its fleet. */
export function settingsPlatformRoutes({ database, now }: { database: Database; now: () => Date }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/settings/maintenance',
      {
        config: { scope: 'vehicles:read' },
        schema: {
          operationId: 'getMaintenanceSettings',
          summary: 'How far ahead of the end of a life work is advised',
          tags,
          response: { 200: MaintenanceSettings, ...errorResponses() },
        },
      },
      async ({ caller }) => {
        const { maintenanceLeadDays } = await requireReseller(database, caller.resellerId)
        return { leadDays: maintenanceLeadDays }
      },
    )
    app.put(
      '/settings/maintenance',
      {
        config: { scope: '*' },
        schema: {
          operationId: 'putMaintenanceSettings',
          summary: 'Set how far ahead of the end of a life work is advised',
          description: 'For the whole fleet of the reseller, so that a key of one sub-client cannot. Acts on the next answer.',
          tags,
          body: MaintenanceSettings,
          response: { 200: MaintenanceSettings, ...errorResponses() },
        },
      },
      async (request) => {
        const { caller, body } = request
        if (caller.subClientPin !== undefined)
          throw new Problem('missing_scope', 'A key of one sub-client cannot set what holds for the whole fleet.', {
            details: { required_scope: '*' },
          })
        const changes = { maintenanceLeadDays: body.leadDays }
        const { maintenanceLeadDays } = await updateReseller(database, caller.resellerId, changes, authorOf(request, now()))
        return { leadDays: maintenanceLeadDays }
      },
    )
  }
}
