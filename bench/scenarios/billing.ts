// Whether SIMs and invoices bear a large fleet: 10,000 SIMs of one reseller, over 1 and over 100 sub-clients, with hourly use of a month (7.2 million
// rows each), the month drafted and its largest invoice read in every form; lists, searches and a synchronisation of the SIMs; claiming of jobs.
//
// Bars: no statement near its timeout (5 s), no transaction over 1 s, the event loop held for 100 ms at most, no large table read from end to end,
// 500 MB of memory at most. A step's memory is that of the whole process, threads included; who asks and reads is another process.
//
// Run, with the flags of `npm start`: node --expose-gc --max-semi-space-size=16 --heap-growing-percent=100 --no-allocation-site-pretenuring
// bench/scenarios/billing.ts [--sims 10000] [--sub-clients 1,100]     Result: a line in bench/results/billing.jsonl

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { systemAuthor } from '@roadworthy/platform/audit/audit'
import { billingRoutes } from '@roadworthy/platform/billing/billing.routes.sim-billing'
import { withInvoice } from '@roadworthy/platform/billing/change-invoice'
import { invoiceDocumentRoutes } from '@roadworthy/platform/billing/document.routes.sim-billing'
import { draftDueMonths } from '@roadworthy/platform/billing/draft-month'
import { invoiceRoutes } from '@roadworthy/platform/billing/invoice.routes.sim-billing'
import { invoiceChangeRoutes } from '@roadworthy/platform/billing/invoice-change.routes.sim-billing'
import { verifyInvoiceStatement } from '@roadworthy/platform/billing/ledger/invoice-statement'
import { openInvoice } from '@roadworthy/platform/billing/open-invoice'
import { ratePlanRoutes } from '@roadworthy/platform/billing/rating/rate-plan.routes.sim-billing'
import { claimDueJobsAcrossResellers } from '@roadworthy/platform/jobs/jobs.sql'
import { createStatementKey } from '@roadworthy/platform/metering/statement-key'
import { selectSimFacts } from '@roadworthy/platform/sims/anomalies/anomalies.sql'
import type { OperatorPool } from '@roadworthy/platform/sims/connections/operator-pool'
import type { OperatorSim, SimOperator } from '@roadworthy/platform/sims/operators/operator'
import { simSimBillingRoutes } from '@roadworthy/platform/sims/sim.routes.sim-billing'
import { syncJobKind } from '@roadworthy/platform/sims/sync/run-sync'
import { noCounts } from '@roadworthy/platform/sims/sync/sync'
import { insertSync } from '@roadworthy/platform/sims/sync/syncs.sql'
import { insertResellerWithKey, openTestApi } from '@roadworthy/platform/surfaces/test-api'
import { openTestDatabase, TEST_SECRET_KEY } from '@roadworthy/platform/test-support'
import { startEmbeddedPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import pg from 'pg'
import type { AnswerRequest, ReadAnswer } from '../load/answer-reader.ts'
import { insertBilledFleet, insertJobs } from '../load/billing-in-sql.ts'
import { keepResult } from '../load/service-under-load.ts'
import { watchDatabase, watchStep } from '../load/watch-step.ts'

const { values: flags } = parseArgs({
  options: { sims: { type: 'string', default: '10000' }, 'sub-clients': { type: 'string', default: '1,100' } },
})
const SIMS = Number(flags.sims)
/** Of October as the operators' platforms are asked: 30 days of 24 hours. */
const HOURS = 720
const DRAFTED_AT = new Date('2026-11-03T06:00:00.000Z')
const PAGE_SIZE = 50
const REPEATS = 20
const ISSUER = { name: 'North Fleet Ltd', address_lines: ['1 Dock Road'], country_code: 'IN', email: 'accounts@north.example' }
const PRICES = {
  rental: '45.00',
  included_megabytes: '100',
  overage_per_megabyte: '0.05',
  activation_fee: '10',
  custody_fee: '10',
  custody_min_days: 0,
  prorated: true,
}

/** An operator that answers at once: a full list, and counters that rise with every question. */
function fakeOperators(iccids: readonly string[]): OperatorPool {
  const cycle = { cycleStart: new Date('2026-11-01T00:00:00Z'), cycleEnd: new Date('2026-12-01T00:00:00Z') }
  const simOf = (iccid: string): OperatorSim => ({
    ...{
      iccid,
      imsi: undefined,
      msisdn: undefined,
      eid: undefined,
      imei: '490154203237518',
      operatorStatus: 'ACTIVATED',
      status: 'active',
    },
    ...{
      isChanging: false,
      ratePlan: undefined,
      communicationPlan: undefined,
      apn: undefined,
      ipAddress: undefined,
      activatedAt: undefined,
    },
    modifiedAt: new Date('2026-11-03T00:00:00Z'),
  })
  const operator = {
    id: 'cisco',
    caps: { list: 'full', modifiedSince: false, previousCycle: false, maxConcurrent: 5, pageSize: PAGE_SIZE, actions: [] },
    listSims: async ({ cursor = '0' }: { cursor?: string }) => {
      const until = Number(cursor) + PAGE_SIZE
      return { sims: iccids.slice(Number(cursor), until).map(simOf), refused: [], next: until < iccids.length ? String(until) : undefined }
    },
    getUsage: async ({ sim }: { sim: { iccid: string } }) => ({
      ...{ iccid: sim.iccid, ...cycle, dataBytes: 5_000_000, resolutionBytes: 1, smsCount: 0, sessionCount: 1 },
    }),
  } as unknown as SimOperator
  return { of: () => operator }
}

type Tools = {
  readonly owner: pg.Client
  readonly cleanUp: { after(run: () => Promise<void>): void }
  readonly database: ReturnType<typeof watchDatabase>
}

async function measureFleet({ owner, cleanUp, database }: Tools, subClients: number): Promise<object> {
  const resellerId = `over-${subClients}`
  const { apiKey } = await insertResellerWithKey(database, resellerId)
  await owner.query(`update resellers set time_zone = 'UTC' where reseller_id = $1`, [resellerId])
  const filledMs = performance.now()
  await insertBilledFleet(owner, { resellerId, sims: SIMS, subClients, hours: HOURS })
  console.error(`${SIMS} SIMs over ${subClients} sub-clients after ${Math.round((performance.now() - filledMs) / 1000)} s of filling`)
  const now = () => DRAFTED_AT
  const statementKey = createStatementKey(TEST_SECRET_KEY)
  const { app } = await openTestApi(cleanUp, database, {
    simBilling: [
      billingRoutes({ database, now: () => new Date('2026-10-05T06:00:00.000Z') }),
      ratePlanRoutes({ database, now }),
      invoiceRoutes({ database, paymentsOf: async () => [] }),
      invoiceChangeRoutes({
        database,
        paymentsOf: async () => [],
        refundSurplus: async () => undefined,
        endCheckout: async () => undefined,
        now,
      }),
      invoiceDocumentRoutes({ database, statementKey, brandOf: async () => ({ name: 'North Fleet' }) }),
      simSimBillingRoutes({ database, now }),
    ],
    now: () => new Date(),
  })
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  const reader = fork(path.join(import.meta.dirname, '../load/answer-reader.ts'))
  cleanUp.after(async () => void reader.kill())
  const call = async (url: string, method: 'GET' | 'POST' | 'PUT' = 'GET', payload?: object, file?: string): Promise<ReadAnswer> => {
    const headers = { 'x-api-key': apiKey, ...(payload === undefined ? {} : { 'content-type': 'application/json' }) }
    const body = payload === undefined ? undefined : JSON.stringify(payload)
    reader.send({ url: `${baseUrl}/api/sim-billing${url}`, method, headers, body, file } satisfies AnswerRequest)
    const [answer] = (await once(reader, 'message')) as [ReadAnswer]
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${answer.error ?? answer.beginning}`)
    return answer
  }
  await call('/billing-settings', 'PUT', {
    currency: 'INR',
    issuer: ISSUER,
    taxes: [{ tax_id: 'gst', name: 'GST', rate_percent: '18', category: 'S' }],
  })
  for (const pooled of [false, true]) {
    const plan_id = pooled ? 'pool' : 'basic'
    await call('/rate-plans', 'POST', { plan_id, name: plan_id, prices: { ...PRICES, pooled }, effective_from: '2026-09' })
  }
  await call('/price-list', 'PUT', {
    effective_from: '2026-09',
    subscription_fee: '1',
    meters: [{ meter: 'readings', price: '0.1', per: 1000, included: 0 }],
  }).catch((error: Error) => console.error(`no price list: ${error.message}`))
  const steps: object[] = []
  const step = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const { result, cost } = await watchStep(name, { owner, database }, run)
    steps.push(cost)
    return result
  }
  const often = async (run: (nth: number) => Promise<unknown>) => {
    const tookMs: number[] = []
    for (let nth = 0; nth < REPEATS; nth++) {
      const startedMs = performance.now()
      await run(nth)
      tookMs.push(performance.now() - startedMs)
    }
    return tookMs
  }

  await step('draft the month', () => draftDueMonths(database, resellerId, DRAFTED_AT))
  await step('list invoices', () => call('/invoices?limit=100'))
  const { rows: invoices } = await owner.query<{ invoice_id: string }>(
    `select invoice_id from invoices where reseller_id = $1 order by total_minor desc`,
    [resellerId],
  )
  const largest = `/invoices/${invoices[0]?.invoice_id}`
  const invoiceBytes = (await step('the invoice', () => call(largest))).bytes
  const statementFile = path.join(folder, 'statement.json')
  const statement = await step('its statement', () => call(`${largest}/statement`, 'GET', undefined, statementFile))
  await step('its PDF', () => call(`${largest}/pdf`))
  const ref = { issuerId: resellerId, resellerId, invoiceId: invoices[0]?.invoice_id ?? '' }
  await step('opening it', () =>
    withInvoice(database, ref, (db, invoice) => openInvoice(db, invoice, systemAuthor(resellerId, DRAFTED_AT))),
  )
  await step('its e-invoice', () => call(`${largest}/xml`))
  await step('its CSV', () => call(`${largest}/csv`))
  await step('all of these, one after the other', async () => {
    for (const form of ['', '/statement', '/pdf', '/xml', '/csv']) await call(`${largest}${form}`)
  })
  await step('a credit note over all of it', () => call(`${largest}/credit-notes`, 'POST', { reason: 'Measured' }))
  const sizes = { invoices: invoices.length, invoiceBytes, statementBytes: statement.bytes }
  console.error(JSON.stringify(sizes))

  await step(`${REPEATS} pages of SIMs`, () => often(() => call('/sims?limit=100')))
  await step(`${REPEATS} searches`, () => often((nth) => call(`/sims?search=${1000 + nth}`)))
  const { rows: sims } = await owner.query<{ sim_id: string; iccid: string }>(
    'select sim_id, iccid from sims where reseller_id = $1 order by iccid',
    [resellerId],
  )
  await step(`${REPEATS} usages`, () => often((nth) => call(`/sims/${sims[nth * 7]?.sim_id}/usage?from=2026-10-01&to=2026-10-31`)))
  const ids = sims.slice(0, 50).map(({ sim_id }) => sim_id)
  await step('facts of 50 SIMs', () => selectSimFacts(database.tenantPool(resellerId), resellerId, ids, new Date('2026-10-30T00:00:00Z')))

  const sync = async (name: string, iccids: readonly string[], scope: 'sims' | 'all') => {
    const syncId = `syn-${name.replaceAll(' ', '-')}`
    const run = {
      resellerId,
      syncId,
      scope,
      isFull: true,
      connectionIds: ['opc-1'],
      simIds: undefined,
      onlyConnectionId: undefined,
      status: 'running',
      progress: undefined,
    } as const
    const begun = {
      counts: noCounts,
      errors: [],
      failedConnectionCount: 0,
      requestedBy: 'bench',
      startedAt: DRAFTED_AT,
      finishedAt: undefined,
    }
    await database.tenant(resellerId, (db) => insertSync(db, { ...run, ...begun }))
    const job = syncJobKind({ database, operators: fakeOperators(iccids), now })
    await step(name, () => job.run({ resellerId, kind: 'sync', key: syncId, failureCount: 0 }, new AbortController().signal))
  }
  const iccids = sims.map(({ iccid }) => iccid)
  await sync('one page of a sync', iccids.slice(0, PAGE_SIZE), 'sims')
  await sync('a sync of all SIMs and their use', iccids, 'all')
  // Last, for what it needs stays with the process that does it.
  const verifyMs = performance.now()
  const { isValid, findings } = verifyInvoiceStatement(JSON.parse(readFileSync(statementFile, 'utf8')), statementKey.publicKey)
  if (!isValid) throw new Error(`the invoice is not valid: ${findings[0]}`)
  const verifiedMs = Math.round(performance.now() - verifyMs)
  return { sims: SIMS, subClients, ...sizes, verifiedMs, steps }
}

async function measureJobs({ owner, database }: Tools): Promise<object> {
  await insertJobs(owner, { jobs: 20_000, resellers: 200, kind: 'bench' })
  const { cost } = await watchStep(`${REPEATS} claims of jobs`, { owner, database }, async () => {
    for (let nth = 0; nth < REPEATS; nth++) {
      const at = new Date()
      const until = new Date(at.getTime() + 60_000)
      const claim = { claimId: `claim-${nth}`, at, until, limit: 8, perReseller: 4, perGroup: 4, groups: [] }
      await claimDueJobsAcrossResellers(database.systemPool, 'bench', claim)
    }
  })
  return cost
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'roadworthy-bench-'))
const server = await startEmbeddedPostgres({ dataDir: folder, log: (message) => console.error(message) })
process.env['TEST_DATABASE_URL'] = server.url
const cleanUps: (() => Promise<void>)[] = []
const cleanUp = { after: (run: () => Promise<void>) => void cleanUps.push(run) }
try {
  const opened = await openTestDatabase(cleanUp)
  const owner = new pg.Client({ connectionString: opened.ownerUrl })
  await owner.connect()
  cleanUps.push(() => owner.end())
  const tools: Tools = { owner, cleanUp, database: watchDatabase(opened.database) }
  const jobs = await measureJobs(tools)
  const fleets: object[] = []
  for (const count of flags['sub-clients'].split(',')) fleets.push(await measureFleet(tools, Number(count)))
  keepResult('billing', { at: new Date().toISOString(), cpus: os.cpus().length, node: process.version, fleets, jobs })
} finally {
  for (const run of cleanUps.toReversed()) await run()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
