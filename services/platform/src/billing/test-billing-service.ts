// For tests only: billing over a database of its own, through its routes and jobs, with a clock that the test sets.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { runDueJobs } from '../jobs/job-worker.ts'
import { defaultPlans } from '../limits/plans.ts'
import { sealUsage } from '../metering/seal-usage.ts'
import { createStatementKey, type StatementKey } from '../metering/statement-key.ts'
import type { MailRefusal } from '../people/mail-refusal.ts'
import type { Notice } from '../people/post.ts'
import { lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { billingRoutes } from './billing.routes.sim-billing.ts'
import { billingJobs } from './billing-jobs.ts'
import type { Surplus } from './credit-invoice.ts'
import { invoiceDocumentRoutes } from './document.routes.sim-billing.ts'
import { invoiceRoutes } from './invoice.routes.sim-billing.ts'
import { invoiceChangeRoutes } from './invoice-change.routes.sim-billing.ts'
import { ratePlanRoutes } from './rating/rate-plan.routes.sim-billing.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
// biome-ignore lint/suspicious/noExplicitAny: a test knows what its route answers.
type Answer = { readonly status: number; readonly body: any }

export type BillingService = {
  readonly database: Database
  readonly clock: { now: Date }
  /** Letters that went out. */
  readonly letters: (Notice & { readonly subject: string; readonly text: string })[]
  readonly surpluses: Surplus[]
  readonly statementKey: StatementKey
  /** While it is there, the mail server takes nothing, and this comes of it. */
  readonly mail: { refusal: MailRefusal | undefined }
  call(apiKey: string, method: Method, path: string, body?: unknown): Promise<Answer>
  /** Seals what was metered, and closes months that are over. */
  seal(): Promise<unknown>
  /** Seals, and does every job that is due. Other than the service's own database may be given, to fail in places. */
  runJobs(over?: Database): Promise<void>
}

export async function openBillingService(t: CleanUp, at: Date): Promise<BillingService> {
  const cleanUp = lastFirst(t)
  const { database } = await openTestDatabase(cleanUp)
  const clock = { now: at }
  const letters: BillingService['letters'] = []
  const surpluses: Surplus[] = []
  const mail: BillingService['mail'] = { refusal: undefined }
  const statementKey = createStatementKey(TEST_SECRET_KEY)
  const deps = { database, now: () => clock.now }
  const refundSurplus = async (_db: unknown, surplus: Surplus) => void surpluses.push(surplus)
  const endCheckout = async () => undefined
  const paymentsOf = async () => []
  const { app } = await openTestApi(cleanUp, database, {
    simBilling: [
      billingRoutes(deps),
      ratePlanRoutes(deps),
      invoiceRoutes({ database, paymentsOf }),
      invoiceDocumentRoutes({ database, statementKey, brandOf: async () => ({ name: 'North Fleet' }) }),
      invoiceChangeRoutes({ ...deps, refundSurplus, endCheckout, paymentsOf }),
    ],
    // Calls are counted too: in a year that nothing here looks at.
    now: () => new Date('2025-01-05T00:00:00.000Z'),
  })
  const notices = {
    isMailing: true,
    notify: async (notice: Notice) => {
      if (mail.refusal !== undefined) return mail.refusal
      letters.push({ ...notice, ...notice.write('Brand of the recipient', 'https://north.example', undefined) })
      return { outcome: 'sent' } as const
    },
  }
  const log = { error: () => undefined }
  const seal = () => sealUsage({ database, plans: defaultPlans, now: () => clock.now, onFailure: () => undefined })
  return {
    database,
    clock,
    letters,
    surpluses,
    statementKey,
    mail,
    call: async (apiKey, method, path, body) => {
      const payload = body === undefined ? {} : { payload: body as object }
      const answer = await app.inject({ method, url: `/api/sim-billing${path}`, headers: { 'x-api-key': apiKey }, ...payload })
      return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() }
    },
    seal,
    runJobs: async (over = database) => {
      const now = async () => clock.now
      await seal()
      await runDueJobs({ database, now, random: () => 0.5, log }, billingJobs({ database: over, notices, now }))
    },
  }
}

/** The same database, of which the `nth` transaction on a reseller's rows fails, before it begins or after it was committed. A process that is killed there leaves the same behind. */
export function failingAt(
  database: Database,
  resellerId: string,
  nth: number,
  when: 'before' | 'after',
): Database & { readonly hasFailed: () => boolean } {
  let count = 0
  return {
    ...database,
    hasFailed: () => count >= nth,
    tenant: async (resellerIds, run) => {
      if ([resellerIds].flat().includes(resellerId)) count++
      else return await database.tenant(resellerIds, run)
      if (count !== nth) return await database.tenant(resellerIds, run)
      if (when === 'after') await database.tenant(resellerIds, run)
      throw new Error('killed')
    },
  }
}
