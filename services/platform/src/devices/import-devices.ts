// Many registrations in one transaction. Each row is carried out within a savepoint, so that every row gets its own reason; a dry run does the
// same and takes all of it back, so that it knows what the real run would meet.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { type Db, inSavepoint, isUniqueViolation } from '@roadworthy/service-kit/postgres/db'
import type { Viewer } from '../fleet/viewer.ts'
import { type Credentials, createCredentials } from './credentials.ts'
import { assertNamed, imeiIsTaken, type RegisterDeps, type RegistrationRequest, registerOrReplay } from './register-device.ts'

/** A row that can be tried, or why it cannot. */
export type ImportRow = RegistrationRequest | Problem

export type ImportedRow<Answer> =
  | { readonly status: 'valid' }
  | { readonly status: 'registered' | 'repeated'; readonly answer: Answer }
  | { readonly status: 'refused'; readonly problem: Problem }

export type ImportMode = { readonly dryRun: boolean; readonly skipInvalid: boolean }

export type Imported<Answer> = { readonly rows: readonly ImportedRow<Answer>[]; readonly isKept: boolean }

/** Hashing is done by the few threads that Node has for all its work: more at once would hold up the others. */
const CREDENTIALS_AT_ONCE = 2

/** Not kept where it is a dry run, and where a row was refused that is not to be skipped. */
export async function importDevices<Answer>(
  deps: RegisterDeps<Answer>,
  viewer: Viewer,
  rows: readonly ImportRow[],
  { dryRun, skipInvalid }: ImportMode,
): Promise<Imported<Answer>> {
  const tried = refuseRepeatedImeis(rows)
  const isHopeless = !skipInvalid && tried.some((row) => row instanceof Problem)
  // Credentials of devices that are not kept are never shown: one set serves for all of them.
  const credentials = dryRun || isHopeless ? [await createCredentials()] : await createAll(tried.length)
  const undone = new Undone<Answer>()
  try {
    return await deps.database.tenant(viewer.resellerId, async (db) => {
      const done: ImportedRow<Answer>[] = []
      for (const [i, row] of tried.entries()) {
        done.push(await importRow(db, deps, viewer, row, (credentials[i] ?? credentials[0]) as Credentials))
      }
      const isKept = !dryRun && (skipInvalid || done.every(({ status }) => status !== 'refused'))
      if (isKept) return { rows: done, isKept }
      undone.rows = done.map(withoutAnswer)
      throw undone
    })
  } catch (error) {
    if (error === undone) return { rows: undone.rows, isKept: false }
    throw error
  }
}

/** Thrown to have the transaction rolled back. */
class Undone<Answer> extends Error {
  rows: readonly ImportedRow<Answer>[] = []
}

async function createAll(count: number): Promise<Credentials[]> {
  const created: Credentials[] = []
  while (created.length < count) {
    const wanted = Math.min(CREDENTIALS_AT_ONCE, count - created.length)
    created.push(...(await Promise.all(Array.from({ length: wanted }, createCredentials))))
  }
  return created
}

async function importRow<Answer>(
  db: Db,
  deps: RegisterDeps<Answer>,
  viewer: Viewer,
  row: ImportRow,
  credentials: Credentials,
): Promise<ImportedRow<Answer>> {
  if (row instanceof Problem) return { status: 'refused', problem: row }
  try {
    assertNamed(row)
    const { answer, isRepeat } = await inSavepoint(db, () => registerOrReplay(db, deps, viewer, row, credentials))
    return { status: isRepeat ? 'repeated' : 'registered', answer }
  } catch (error) {
    if (isUniqueViolation(error, 'devices_imei_key')) return { status: 'refused', problem: imeiIsTaken() }
    if (error instanceof Problem && error.code !== 'unavailable') return { status: 'refused', problem: error }
    throw error
  }
}

/** The second of two rows with one IMEI would be a repeat of the first, which nobody means in a list of devices. */
function refuseRepeatedImeis(rows: readonly ImportRow[]): ImportRow[] {
  const firstRows = new Map<string, number>()
  return rows.map((row, i) => {
    if (row instanceof Problem || row.imei === undefined) return row
    const first = firstRows.get(row.imei)
    if (first === undefined) firstRows.set(row.imei, i + 1)
    else return new Problem('invalid_request', `Row ${first} has the same IMEI.`, { details: { in: 'body', field: 'imei' } })
    return row
  })
}

function withoutAnswer<Answer>(row: ImportedRow<Answer>): ImportedRow<Answer> {
  return row.status === 'registered' || row.status === 'repeated' ? { status: 'valid' } : row
}
