// For tests only: a stream of readings and calls through the real pipeline and PostgreSQL, and a count of it that shares nothing with the
// ledger: what was new, for whom, in which day and month of whose clock, computed by JavaScript's own formatting of the instant.

import assert from 'node:assert/strict'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { applyEffects } from '../ingest/apply-effects.ts'
import { defaultGroupCommitLimits } from '../ingest/group-commit.ts'
import type { Inbound } from '../ingest/inbound.ts'
import { createIngestPipeline } from '../ingest/pipeline.ts'
import { unlimited } from '../ingest/reading-quota.ts'
import type { ResolvedDevice } from '../ingest/resolve.ts'
import type { Caller } from '../keys/caller.ts'
import { defaultPlans } from '../limits/plans.ts'
import { UsageMeter } from '../limits/usage.ts'
import { createReseller } from '../resellers/resellers.ts'
import { sealUsage } from './seal-usage.ts'
import { allUsage } from './usage-report.ts'

const ZONES = ['Asia/Kolkata', 'America/New_York', 'Asia/Kathmandu', 'Europe/Berlin'] as const
const SUB_CLIENTS = ['', 'alpha', 'beta']
const DEVICES_PER_RESELLER = 60
const BATCH_SIZE = 100
/** At once, with one clock and the devices where they are. */
const BATCHES_AT_ONCE = 8

/**
 * When the service receives something: on both sides of the ends of months and days in all four zones, through days of 23 and 25 hours, and
 * over a quarter-hour's end. Berlin changes its clocks on 2026-10-25 and 2027-03-28, New York on 2026-11-01 and 2027-03-14.
 */
const INSTANTS = [
  '2026-10-24T21:59:59.999Z',
  '2026-10-24T22:00:00.000Z',
  '2026-10-25T00:30:00.000Z',
  '2026-10-25T01:30:00.000Z',
  '2026-10-25T22:59:59.999Z',
  '2026-10-25T23:00:00.000Z',
  '2026-10-31T18:14:59.999Z',
  '2026-10-31T18:15:00.000Z',
  '2026-10-31T18:29:59.999Z',
  '2026-10-31T18:30:00.000Z',
  '2026-10-31T22:59:59.999Z',
  '2026-10-31T23:00:00.000Z',
  '2026-11-01T03:59:59.999Z',
  '2026-11-01T04:00:00.000Z',
  '2026-11-01T05:30:00.000Z',
  '2026-11-01T06:30:00.000Z',
  '2026-11-02T04:59:59.999Z',
  '2026-11-02T05:00:00.000Z',
  '2026-11-02T12:00:00.000Z',
  '2026-11-15T18:29:00.000Z',
  '2026-11-30T18:30:00.000Z',
  '2026-11-30T23:30:00.000Z',
  '2026-12-01T04:59:59.999Z',
  '2026-12-01T05:00:00.000Z',
  '2026-12-03T09:10:00.000Z',
  '2026-12-31T18:14:59.999Z',
  '2026-12-31T18:30:00.000Z',
  '2027-02-28T18:15:00.000Z',
  '2027-03-14T04:59:59.999Z',
  '2027-03-14T06:59:59.999Z',
  '2027-03-14T07:00:00.000Z',
  '2027-03-15T03:59:59.999Z',
  '2027-03-15T04:00:00.000Z',
  '2027-03-27T23:00:00.000Z',
  '2027-03-28T00:59:59.999Z',
  '2027-03-28T01:00:00.000Z',
  '2027-03-28T21:59:59.999Z',
  '2027-03-28T22:00:00.000Z',
  '2027-03-31T18:15:00.000Z',
  '2027-03-31T21:59:59.999Z',
  '2027-03-31T22:00:00.000Z',
  '2027-04-01T03:59:59.999Z',
  '2027-04-01T04:00:00.000Z',
  '2027-04-05T00:00:00.000Z',
].map((text) => new Date(text))
const FROM = '2026-10-01'
const TO = '2027-05-01'

/** Mulberry32: the same numbers from the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

type Counted = Map<string, number>

class IndependentCounter {
  readonly #known = new Set<string>()
  readonly #active = new Set<string>()
  /** By reseller, `2026-11 alpha points_ingested`, with months and days side by side. */
  readonly counts = new Map<string, Counted>()
  eventCount = 0

  reading(zone: string, resellerId: string, device: ResolvedDevice, record: object, at: Date): void {
    const text = `${device.deviceId} ${JSON.stringify(record)}`
    if (this.#known.has(text)) return
    this.#known.add(text)
    for (const period of periodsAt(zone, at)) {
      this.#add(resellerId, `${period} ${device.subClientId ?? ''} points_ingested`)
      const activity = `${period} ${device.subClientId ?? ''} ${device.deviceId}`
      if (!this.#active.has(activity)) this.#add(resellerId, `${period} ${device.subClientId ?? ''} active_devices`)
      this.#active.add(activity)
    }
  }

  call(zone: string, resellerId: string, subClientId: string, at: Date): void {
    for (const period of periodsAt(zone, at)) this.#add(resellerId, `${period} ${subClientId} api_calls`)
  }

  #add(resellerId: string, key: string): void {
    const counts = this.counts.get(resellerId) ?? new Map<string, number>()
    this.counts.set(resellerId, counts.set(key, (counts.get(key) ?? 0) + 1))
  }
}

const formats = new Map(
  ZONES.map((zone) => [
    zone as string,
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  ]),
)

function periodsAt(zone: string, at: Date): [month: string, day: string] {
  const [day, month, year] = formats.get(zone)?.format(at).split('/') ?? []
  return [`${year}-${month}`, `${year}-${month}-${day}`]
}

/**
 * Sends `eventCount` readings and calls (readings that are refused among them), seals at random moments, and asserts that the reports by day and by
 * month contain exactly what was counted beside it. Returns the resellers, and the clock, which stands some days after the end.
 */
export async function sendAndCompare(
  database: Database,
  { eventCount, seed }: { eventCount: number; seed: number },
): Promise<{ resellers: { resellerId: string; zone: string }[]; now: Date; counter: IndependentCounter }> {
  const random = randomFrom(seed)
  let now = INSTANTS[0] as Date
  const resellers = ZONES.map((zone, i) => ({ resellerId: `zone-${i}`, zone }))
  const fleets = new Map(resellers.map(({ resellerId }) => [resellerId, makeFleet(resellerId)]))
  for (const { resellerId, zone } of resellers) await createReseller(database, { slug: resellerId, name: zone, timeZone: zone }, now)
  const counter = new IndependentCounter()
  const usage = new UsageMeter(database, () => now)
  const { ingest } = createIngestPipeline({
    database,
    directory: {
      findDevice: (resellerId, id) => fleets.get(resellerId)?.find(({ deviceId }) => deviceId === id),
      findVehicle: () => undefined,
      createNamedVehicle: () => Promise.reject(new Error('no reading names a vehicle')),
      findSubClientStatus: () => 'active',
      findTimeZone: (resellerId) => resellers.find((each) => each.resellerId === resellerId)?.zone,
      activateDevices: async () => undefined,
    },
    now: () => now,
    window: { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 },
    quota: unlimited,
    limits: defaultGroupCommitLimits,
    onUnstorable: (error) => assert.fail(`unstorable: ${String(error)}`),
  })
  /** What was sent lately, for repeats. */
  const sent: { fleet: (typeof resellers)[number]; device: ResolvedDevice; record: object; deviceIndex: number }[] = []

  const sendBatch = async (): Promise<void> => {
    const batch: Inbound[] = []
    for (let n = 0; n < BATCH_SIZE; n++) {
      const repeated = random(10) === 0 ? sent[random(sent.length)] : undefined
      const fleet = repeated?.fleet ?? resellers[random(resellers.length)]
      assert.ok(fleet)
      const deviceIndex = repeated?.deviceIndex ?? random(DEVICES_PER_RESELLER)
      const device = fleets.get(fleet.resellerId)?.[deviceIndex]
      assert.ok(device)
      const lateMs = random(4) === 0 ? random(20 * 86_400) * 1_000 : random(60_000)
      const record = repeated?.record ?? {
        timestamp: new Date(now.getTime() - lateMs).toISOString(),
        speed: random(90),
        rpm: random(3_000),
      }
      const isRefused = repeated === undefined && random(20) === 0
      batch.push({
        resellerId: fleet.resellerId,
        kind: 'telemetry',
        record: { ...(isRefused ? { device_id: 'dev-nobody00000000000000', speed: 1 } : { device_id: device.deviceId, ...record }) },
      })
      if (isRefused) continue
      counter.reading(fleet.zone, fleet.resellerId, device, record, now)
      if (repeated === undefined) sent[sent.length < 5_000 ? sent.length : random(5_000)] = { fleet, device, record, deviceIndex }
    }
    counter.eventCount += batch.length
    const outcomes = await ingest(batch)
    assert.equal(outcomes.length, batch.length)
  }

  const perInstant = Math.ceil(eventCount / INSTANTS.length)
  for (const instant of INSTANTS) {
    now = instant
    const target = Math.min(eventCount, counter.eventCount + perInstant)
    while (counter.eventCount < target) {
      await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, sendBatch))
      for (const { resellerId, zone } of resellers) {
        const subClientId = SUB_CLIENTS[random(SUB_CLIENTS.length)] ?? ''
        await usage.count(resellerId, subClientId, random(2) === 0 ? 'api_calls_external' : 'api_calls_platform', 1)
        counter.call(zone, resellerId, subClientId, now)
        reassignOne(fleets.get(resellerId) ?? [], random)
      }
      counter.eventCount += resellers.length
    }
    // Not after each, so that some of what is compared spans what is sealed and what is not.
    if (random(3) > 0) await sealAll(database, now)
  }
  await applyAllEffects(database)
  now = new Date(now.getTime() + 10 * 60_000)
  for (const { resellerId, zone } of resellers) await compare(database, resellerId, zone, counter, now)
  now = new Date(now.getTime() + 3 * 86_400_000)
  await sealAll(database, now)
  for (const { resellerId, zone } of resellers) await compare(database, resellerId, zone, counter, now)
  return { resellers, now, counter }
}

async function sealAll(database: Database, now: Date): Promise<void> {
  await applyAllEffects(database)
  while (await sealUsage({ database, plans: defaultPlans, now: () => now, onFailure: assert.fail }));
}

/** On a cluster a worker counts what was stored. */
async function applyAllEffects(database: Database): Promise<void> {
  while ((await applyEffects(database)) > 0);
}

function makeFleet(resellerId: string): ResolvedDevice[] {
  return Array.from({ length: DEVICES_PER_RESELLER }, (_, i) => ({
    deviceId: `dev-${resellerId}-${String(i).padStart(8, '0')}`,
    imei: undefined,
    status: 'active',
    subClientId: SUB_CLIENTS[i % SUB_CLIENTS.length] || undefined,
    vehicleId: undefined,
  }))
}

/** To another sub-client, or out of all. */
function reassignOne(fleet: ResolvedDevice[], random: (below: number) => number): void {
  const index = random(fleet.length)
  const device = fleet[index]
  if (device !== undefined) fleet[index] = { ...device, subClientId: SUB_CLIENTS[random(SUB_CLIENTS.length)] || undefined }
}

async function compare(database: Database, resellerId: string, zone: string, counter: IndependentCounter, now: Date): Promise<void> {
  const caller: Caller = { resellerId, keyId: 'key', scopes: new Set(['*']), subClientPin: undefined }
  const stated: Counted = new Map()
  for (const granularity of ['month', 'day'] as const) {
    const question = { subClientId: undefined, from: FROM, to: TO, granularity, limit: undefined, after: undefined }
    const { rows } = await allUsage(database.tenantPool(resellerId), caller, zone, question, now)
    for (const { period, subClientId, meter, count } of rows) stated.set(`${period} ${subClientId ?? ''} ${meter}`, count)
  }
  const expected = counter.counts.get(resellerId) ?? new Map<string, number>()
  assert.deepEqual([...stated].sort(), [...expected].sort(), `${resellerId} in ${zone}`)
}
