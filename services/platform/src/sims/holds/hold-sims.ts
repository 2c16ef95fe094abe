// SIMs of a sub-client whose invoice is overdue for longer than its reseller allows are suspended, and the same ones are resumed when no such invoice
// is left. What is to be done follows from what the invoices are when it is done, so that neither order nor repeats of what was asked for matter.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { dayFrom } from '@roadworthy/service-kit/time/zoned-time'
import { systemAuthor, writeAudit } from '../../audit/audit.ts'
import { assertOwnerWritable } from '../../fleet/sub-client-access.ts'
import type { JobKind, JobOutcome } from '../../jobs/job.ts'
import { type ActionWish, requestAction } from '../actions/request-action.ts'
import type { Sim } from '../sim.ts'
import { selectSimForUpdate } from '../sims.sql.ts'
import { type Cause, storeSim } from '../store-sim.ts'
import { type OverdueInvoice, selectDebtors, selectOverdueInvoices } from './overdue-invoices.read.sql.ts'
import { askForHoldReview, EVERY_SUB_CLIENT, SIM_HOLD_JOB } from './sim-hold-jobs.ts'
import { deleteHolds, hasLiveHold, insertHold, selectHeldSimIds, selectSimIdsToHold } from './sim-holds.sql.ts'

export type HoldDeps = { readonly database: Database; readonly now: () => Date }

const SIMS_PER_PAGE = 100
/** A SIM whose operator is still at something else is tried again. */
const TRY_AGAIN_MS = 60_000
/** What an operator refused, or could not be asked for, is asked of it again. An assumption: four times a day, so that credentials mended in the morning act the same day. */
const ASK_AGAIN_MS = 6 * 3_600_000

export function simHoldJobs(deps: HoldDeps): JobKind[] {
  return [
    {
      kind: SIM_HOLD_JOB,
      concurrency: 4,
      perReseller: 2,
      run: async ({ resellerId, key }, signal) =>
        key === EVERY_SUB_CLIENT ? await askForEach(deps, resellerId) : await review(deps, { resellerId, subClientId: key }, signal),
    },
  ]
}

/** An overdue invoice, and from when on it holds the SIMs of its sub-client. */
type Holding = OverdueInvoice & { readonly holdsFrom: Date }

/** Earliest first. */
async function selectHoldings(db: Db, resellerId: string, subClientId: string): Promise<Holding[]> {
  const invoices = await selectOverdueInvoices(db, resellerId, subClientId)
  return invoices
    .map((each) => ({ ...each, holdsFrom: dayFrom(each.timeZone, each.dueAt, each.holdAfterDays + 1) }))
    .sort((a, b) => a.holdsFrom.getTime() - b.holdsFrom.getTime())
}

/** Throws `invoice_overdue`, which the sub-client that owes is answered. */
export async function assertNotHeld(db: Db, { resellerId, subClientId }: Sim, at: Date): Promise<void> {
  if (subClientId === undefined) return
  const held = holdingAt(await selectHoldings(db, resellerId, subClientId), at)
  if (held.length === 0) return
  const numbers = held.map(({ number }) => number).join(', ')
  throw new Problem('invoice_overdue', `SIMs are not activated while an invoice is overdue for so long: pay ${numbers} first.`, {
    details: { invoice_ids: held.map(({ invoiceId }) => invoiceId) },
  })
}

/**
 * What a custody that ends asks for, where it would activate the SIM of a sub-client that owes: it is suspended in its place, and resumed with the others.
 * The review resumes it too, where the invoice is paid at this very moment.
 */
export async function holdOfExpiry(
  db: Db,
  { resellerId, subClientId }: Sim,
  at: Date,
): Promise<(HoldWish & { staysBarred: true }) | undefined> {
  if (subClientId === undefined) return undefined
  const newest = holdingAt(await selectHoldings(db, resellerId, subClientId), at).at(-1)
  if (newest === undefined) return undefined
  await askForHoldReview(db, resellerId, subClientId, at)
  return { ...wishOf(newest), staysBarred: true }
}

type HoldWish = { readonly reason: string; readonly holdInvoiceId: string }

function wishOf({ invoiceId, number }: Holding): HoldWish {
  return { reason: `Invoice ${number} is overdue.`, holdInvoiceId: invoiceId }
}

function holdingAt(holdings: readonly Holding[], at: Date): Holding[] {
  return holdings.filter(({ holdsFrom }) => holdsFrom <= at)
}

async function askForEach({ database, now }: HoldDeps, resellerId: string): Promise<JobOutcome> {
  const debtors = await selectDebtors(database.tenantPool(resellerId), resellerId)
  await database.tenant(resellerId, async (db) => {
    for (const subClientId of debtors) await askForHoldReview(db, resellerId, subClientId, now())
  })
  return 'done'
}

type Owner = { readonly resellerId: string; readonly subClientId: string }

async function review(deps: HoldDeps, owner: Owner, signal: AbortSignal): Promise<JobOutcome> {
  const at = deps.now()
  const holdings = await selectHoldings(deps.database.tenantPool(owner.resellerId), owner.resellerId, owner.subClientId)
  const newest = holdingAt(holdings, at).at(-1)
  const againMs = newest === undefined ? await release(deps, owner, signal) : await hold(deps, owner, newest, signal)
  const nextAt = holdings.find(({ holdsFrom }) => holdsFrom > at)?.holdsFrom
  if (againMs === undefined) return nextAt === undefined ? 'done' : { againAt: nextAt }
  return { againAt: new Date(Math.min(at.getTime() + againMs, nextAt?.getTime() ?? Number.POSITIVE_INFINITY)) }
}

/** Answers in how long to look again at what became of it, if at all. */
async function hold({ database, now }: HoldDeps, owner: Owner, invoice: Holding, signal: AbortSignal): Promise<number | undefined> {
  const { resellerId, subClientId } = owner
  const { invoiceId, number } = invoice
  const by = { author: systemAuthor(resellerId, now()), source: 'system' as const }
  const wish = { kind: 'suspend' as const, ...wishOf(invoice) }
  const isMeant = (sim: Sim) => sim.status === 'active' && sim.subClientId === subClientId
  const counts = await walk(
    (afterSimId) => selectSimIdsToHold(database.tenantPool(resellerId), { ...owner, invoiceId }, { afterSimId, limit: SIMS_PER_PAGE }),
    (simId) => database.tenant(resellerId, (db) => ask(db, { resellerId, simId }, isMeant, (sim) => request(db, sim, wish, by))),
    signal,
  )
  await database.tenant(resellerId, async (db) => {
    if (!(await insertHold(db, { ...owner, invoiceId, since: by.author.at }))) return
    const after = { invoiceId, invoice: number, suspending: counts.asked, waiting: counts.pending + counts.off, left: counts.left }
    await writeAudit(db, by.author, { action: 'sims.held', objectId: subClientId, subClientId, after })
  })
  return againMsOf(counts)
}

function againMsOf({ pending, asked, off }: Counts): number | undefined {
  if (pending > 0) return TRY_AGAIN_MS
  return asked + off > 0 ? ASK_AGAIN_MS : undefined
}

/** Those that were suspended for this, and no others. One that was given to another debtor stays held, and one without a sub-client stays suspended. */
async function release({ database, now }: HoldDeps, owner: Owner, signal: AbortSignal): Promise<number | undefined> {
  const { resellerId, subClientId } = owner
  const by = { author: systemAuthor(resellerId, now()), source: 'system' as const }
  const isMeant = (sim: Sim) => sim.status === 'suspended' && sim.heldFor === subClientId
  const counts = await walk(
    (afterSimId) => selectHeldSimIds(database.tenantPool(resellerId), owner, { afterSimId, limit: SIMS_PER_PAGE }),
    (simId) => database.tenant(resellerId, (db) => ask(db, { resellerId, simId }, isMeant, (sim) => resume(db, sim, by))),
    signal,
  )
  return await database.tenant(resellerId, async (db) => {
    if ((await deleteHolds(db, owner)) > 0) {
      const after = { resuming: counts.asked, waiting: counts.pending + counts.off, left: counts.left }
      await writeAudit(db, by.author, { action: 'sims.released', objectId: subClientId, subClientId, after })
    }
    return (await hasLiveHold(db, owner)) ? TRY_AGAIN_MS : againMsOf(counts)
  })
}

type By = Pick<Cause, 'author'> & { readonly source: 'system' }

async function request(db: Db, sim: Sim, wish: ActionWish, by: By): Promise<Asked> {
  await requestAction(db, sim, wish, by)
  return 'asked'
}

/** What a SIM without a sub-client uses is on no invoice, and one whose sub-client owes too is held for that one's invoice. */
async function resume(db: Db, sim: Sim, by: By): Promise<Asked> {
  const { resellerId, subClientId } = sim
  const holdings = subClientId === undefined ? [] : await selectHoldings(db, resellerId, subClientId)
  const newest = holdingAt(holdings, by.author.at).at(-1)
  if (subClientId !== undefined && newest === undefined) {
    await assertOwnerWritable(db, resellerId, subClientId)
    return await request(db, sim, { kind: 'activate', reason: 'No invoice is overdue any more.' }, by)
  }
  const reason = newest === undefined ? sim.suspendedReason : wishOf(newest).reason
  await storeSim(db, sim, { ...sim, heldFor: subClientId, suspendedReason: reason }, { ...by, reason })
  // That invoice may be paid at this very moment, by a review that does not find this SIM yet.
  if (subClientId !== undefined) await askForHoldReview(db, resellerId, subClientId, by.author.at)
  return 'left'
}

/** `pending`: its operator is at something else. `off`: its connection is switched off, or its sub-client suspended. `left`: it cannot be done, as where the operator has no suspension, or is not meant any more. */
type Asked = 'asked' | 'pending' | 'off' | 'left' | 'gone'
type Counts = Record<Asked, number>

async function walk(
  selectPage: (afterSimId: string) => Promise<readonly string[]>,
  act: (simId: string) => Promise<Asked>,
  signal: AbortSignal,
): Promise<Counts> {
  const counts = { asked: 0, pending: 0, off: 0, left: 0, gone: 0 }
  for (let afterSimId: string | undefined = ''; afterSimId !== undefined; ) {
    const page: readonly string[] = await selectPage(afterSimId)
    for (const simId of page) {
      signal.throwIfAborted()
      counts[await act(simId)]++
    }
    afterSimId = page.length < SIMS_PER_PAGE ? undefined : page.at(-1)
  }
  return counts
}

async function ask(
  db: Db,
  { resellerId, simId }: { readonly resellerId: string; readonly simId: string },
  isMeant: (sim: Sim) => boolean,
  act: (sim: Sim) => Promise<Asked>,
): Promise<Asked> {
  const sim = await selectSimForUpdate(db, { resellerId, subClientPin: undefined }, { simId })
  if (sim === undefined || !isMeant(sim)) return 'gone'
  try {
    return await act(sim)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'sim_action_in_progress') return 'pending'
    return error.code === 'conflict' || error.code === 'sub_client_suspended' ? 'off' : 'left'
  }
}
