import { createHash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { CalendarLink, CalendarParams, RevokedCalendarLink } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import { VehicleParams } from '@roadworthy/contracts/platform-v1/vehicles'
import type { App } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { BriefCache } from '@roadworthy/service-kit/pacing/brief-cache'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { randomText } from '@roadworthy/service-kit/text/ids'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { authorOf, writeAudit } from '../audit/audit.ts'
import { noSuchVehicle } from '../fleet/vehicle.ts'
import { isServed } from '../limits/plans.ts'
import { requireVehicle } from '../readings/require-vehicle.ts'
import { deleteCalendarLink, selectCalendarLinkAcrossResellers, upsertCalendarLink } from './calendar.sql.ts'
import { EMPTY_CALENDAR_EXAMPLE } from './calendar.ts'
import { vehicleCalendar } from './vehicle-calendar.ts'
import { requireWritableVehicle } from './writable-vehicle.ts'

const tags = ['Maintenance']

/** Calendar programs look every few minutes at most. */
const FOLLOWED_TTL_MS = 10_000
const MAX_FOLLOWED = 500

export type CalendarRouteDeps = {
  readonly database: Database
  /** For calendars by their link, which anybody may ask for. */
  readonly publicDatabase: Database
  readonly now: () => Date
  /** Under which others reach the APIs; as the caller reached them where it is not set. */
  readonly baseUrl: string | undefined
}

const calendarResponse = {
  description: 'The calendar, RFC 5545.',
  content: {
    'text/calendar': { schema: Type.String(), examples: { empty: { value: EMPTY_CALENDAR_EXAMPLE } } },
  },
}

export function calendarPlatformRoutes(deps: CalendarRouteDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addCalendarRoutes(app as App, deps)
    addLinkRoutes(app as App, deps)
  }
}

function addCalendarRoutes(app: App, { database, publicDatabase, now }: CalendarRouteDeps): void {
  const calendars = new BriefCache({
    load: (key) => {
      const [resellerId = '', vehicleId = ''] = key.split('/')
      return vehicleCalendar(publicDatabase.tenantPool(resellerId), resellerId, vehicleId, now())
    },
    now,
    ttlMs: FOLLOWED_TTL_MS,
    maxEntries: MAX_FOLLOWED,
  })
  app.get(
    '/vehicles/:id/maintenance.ics',
    {
      config: { scope: 'vehicles:read' },
      schema: {
        operationId: 'getMaintenanceCalendar',
        summary: 'Planned and due maintenance of a vehicle as a calendar file',
        tags,
        params: VehicleParams,
        response: { 200: calendarResponse, ...errorResponses(404) },
      },
    },
    async ({ caller, params }, reply) => {
      const db = database.tenantPool(caller.resellerId)
      const { vehicleId } = await requireVehicle(db, caller, params.id)
      const calendar = await vehicleCalendar(db, caller.resellerId, vehicleId, now())
      if (calendar === undefined) throw noSuchVehicle()
      return sendCalendar(reply, calendar)
    },
  )
  app.get(
    '/calendars/:token',
    {
      config: { public: true },
      schema: {
        operationId: 'followCalendarLink',
        summary: 'The same calendar by its link',
        description: 'For calendar programs, which send no key.',
        tags,
        params: CalendarParams,
        response: { 200: calendarResponse, ...errorResponses(404) },
      },
    },
    async ({ params }, reply) => {
      // Not kept: a link that is revoked is dead at once.
      const link = await selectCalendarLinkAcrossResellers(publicDatabase.systemPool, hashOf(params.token.replace(/\.ics$/, '')))
      const calendar =
        link === undefined || !isServed(link.subscription) ? undefined : await calendars.find(`${link.resellerId}/${link.vehicleId}`)
      if (calendar === undefined) throw new Problem('not_found', 'There is no such calendar, or its link was revoked.')
      return sendCalendar(reply, calendar)
    },
  )
}

function addLinkRoutes(app: App, { database, now, baseUrl }: CalendarRouteDeps): void {
  app.post(
    '/vehicles/:id/calendar-link',
    {
      config: { scope: 'vehicles:write' },
      schema: {
        operationId: 'createCalendarLink',
        summary: 'Make a link that calendar programs can subscribe to',
        description:
          'A vehicle has one; another takes its place. It ends when it is revoked, or when the vehicle goes to another sub-client.',
        tags,
        params: VehicleParams,
        response: { 200: CalendarLink, ...errorResponses(404) },
      },
    },
    async (request) => {
      const { caller, params, protocol, host } = request
      const token = randomText(TOKEN_LENGTH, TOKEN_ALPHABET)
      const createdAt = now()
      const vehicleId = await database.tenant(caller.resellerId, async (db) => {
        const owner = await requireWritableVehicle(db, caller, params.id)
        await upsertCalendarLink(db, caller.resellerId, { ...owner, tokenSha256: hashOf(token), createdAt })
        const entry = { action: 'vehicle.calendar_link_created', objectId: owner.vehicleId, subClientId: owner.subClientId } as const
        await writeAudit(db, authorOf(request, createdAt), entry)
        return owner.vehicleId
      })
      const url = `${baseUrl ?? `${protocol}://${host}`}/api/v1/calendars/${token}.ics`
      return { vehicleId, url, createdAt: createdAt.toISOString() }
    },
  )
  app.delete(
    '/vehicles/:id/calendar-link',
    {
      config: { scope: 'vehicles:write' },
      schema: {
        operationId: 'revokeCalendarLink',
        summary: 'Revoke the link',
        description: 'It is dead at once. Repeating it is fine.',
        tags,
        params: VehicleParams,
        response: { 200: RevokedCalendarLink, ...errorResponses(404) },
      },
    },
    async (request) => {
      const { caller, params } = request
      return await database.tenant(caller.resellerId, async (db) => {
        const { vehicleId, subClientId } = await requireWritableVehicle(db, caller, params.id)
        const revoked = await deleteCalendarLink(db, caller.resellerId, vehicleId)
        const entry = { action: 'vehicle.calendar_link_revoked', objectId: vehicleId, subClientId } as const
        if (revoked) await writeAudit(db, authorOf(request, now()), entry)
        return { vehicleId, revoked }
      })
    },
  )
}

/** 238 bits: nobody guesses one. */
const TOKEN_LENGTH = 40
const TOKEN_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function sendCalendar(reply: FastifyReply, calendar: string): string {
  reply.header('content-type', 'text/calendar; charset=utf-8').header('cache-control', 'private, no-cache')
  return calendar
}
