// For how long the readings of a reseller are kept, as it sets itself.

import type { ReadingsRetention, ReadingsRetentionChange } from '@roadworthy/contracts/platform-v1/settings'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { type Author, writeAudit } from '../audit/audit.ts'
import { selectKnownSubClients } from './known-sub-clients.read.sql.ts'
import { lockRetention, type RetentionTerm, replaceRetention, selectRetention } from './retention.sql.ts'

export type RetentionBounds = {
  /** Of the service. */ readonly presetDays: number /** Readings of so long ago are still accepted. */
  readonly minDays: number
}

const WHOLE = ''

export async function readRetention(db: Db, resellerId: string, bounds: RetentionBounds): Promise<ReadingsRetention> {
  return toRetention(await selectRetention(db, resellerId), bounds)
}

/** Takes the place of what was set before. Acts within the hour. */
export async function changeRetention(
  database: Database,
  resellerId: string,
  change: ReadingsRetentionChange,
  bounds: RetentionBounds,
  author: Author,
): Promise<ReadingsRetention> {
  const terms = [...(change.days === undefined ? [] : [{ subClientId: WHOLE, days: change.days }]), ...(change.subClients ?? [])]
  checkTerms(terms, bounds)
  return await database.tenant(resellerId, async (db) => {
    await lockRetention(db, resellerId)
    await checkSubClients(db, resellerId, terms)
    const before = await selectRetention(db, resellerId)
    await replaceRetention(db, resellerId, terms)
    const after = await selectRetention(db, resellerId)
    await writeAudit(db, author, {
      action: 'readings_retention.updated',
      objectId: resellerId,
      before: auditedTerms(before),
      after: auditedTerms(after),
    })
    return toRetention(after, bounds)
  })
}

function checkTerms(terms: readonly RetentionTerm[], { minDays }: RetentionBounds): void {
  const seen = new Set<string>()
  for (const { subClientId, days } of terms) {
    const field = subClientId === WHOLE ? 'days' : 'subClients'
    if (days !== null && days < minDays) {
      throw invalid(field, `Readings are kept for ${minDays} days at least: those of so long ago are still accepted.`)
    }
    if (seen.has(subClientId)) throw invalid(field, `The sub-client ${JSON.stringify(subClientId)} is named twice.`)
    seen.add(subClientId)
  }
}

async function checkSubClients(db: Db, resellerId: string, terms: readonly RetentionTerm[]): Promise<void> {
  const asked = terms.flatMap(({ subClientId }) => (subClientId === WHOLE ? [] : subClientId))
  const known = await selectKnownSubClients(db, resellerId, asked)
  const unknown = asked.find((id) => !known.has(id))
  if (unknown !== undefined) throw invalid('subClients', `There is no sub-client ${JSON.stringify(unknown)}.`)
}

function invalid(field: string, message: string): Problem {
  return new Problem('invalid_request', message, { details: { in: 'body', field } })
}

function toRetention(terms: readonly RetentionTerm[], { presetDays, minDays }: RetentionBounds): ReadingsRetention {
  const whole = terms.find(({ subClientId }) => subClientId === WHOLE)
  return {
    ...{ days: whole === undefined ? presetDays : whole.days, isPreset: whole === undefined, presetDays, minDays },
    subClients: terms.filter(({ subClientId }) => subClientId !== WHOLE).map(({ subClientId, days }) => ({ subClientId, days })),
  }
}

/** The audit log keeps so many characters of a value; what is set for most sub-clients stands in it whole. */
function auditedTerms(terms: readonly RetentionTerm[]): Record<string, unknown> {
  const inWords = (days: number | null) => (days === null ? 'for ever' : `${days} days`)
  const whole = terms.find(({ subClientId }) => subClientId === WHOLE)
  return {
    kept: whole === undefined ? 'as the service' : inWords(whole.days),
    subClients: terms.flatMap(({ subClientId, days }) => (subClientId === WHOLE ? [] : `${subClientId}: ${inWords(days)}`)).join(', '),
  }
}
