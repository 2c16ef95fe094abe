// `manifest.json` of an export: what it holds, and the hash of each file. `manifest.check.json` beside it has the hash of the manifest, and its signature under the
// passphrase (ADR 0046 has the format). A stranger may have made it: everything in it is bounded here.

import { createHash } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { MANIFEST, MANIFEST_CHECK } from '../backup/manifest.ts'
import { KeyBoxSchema } from '../backup/passphrase.ts'
import { MoveProblem } from './move-problem.ts'

export const FORMAT = 'roadworthy-export'
/** Grows when an earlier program would misread what a later one writes. */
export const FORMAT_VERSION = 1
/** Ten thousand files of readings, which are a hundred years, take 4 MB. */
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024
const MAX_TABLES = 500
const MAX_READINGS_FILES = 10_000
/** Of one table; also what bounds its partitions. */
const MAX_WEEKS = 2_000

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' })
const Day = Type.String({ pattern: '^20[0-9]{2}-[0-9]{2}-[0-9]{2}$' })
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Text = Type.String({ maxLength: 200 })

const TableSchema = Type.Object({
  name: Name,
  columns: Type.Array(Name, { maxItems: 200 }),
  rowCount: Count,
  /** The same for the same rows in any order, without the columns that are secret. */
  rowsDigest: Sha256,
  /** Mondays of the weeks that rows of a partitioned table are in. */
  weeks: Type.Array(Day, { maxItems: MAX_WEEKS }),
  file: Type.String({ pattern: '^tables/[a-z_][a-z0-9_]{0,62}\\.ndjson$' }),
  bytes: Count,
  sha256: Sha256,
})

const ReadingsSchema = Type.Object({
  /** Monday. */
  week: Day,
  /** A week in which a month ends has a file for each of the two. */
  month: Type.String({ pattern: '^20[0-9]{2}-[0-9]{2}$' }),
  form: Type.Union([Type.Literal('parquet'), Type.Literal('ndjson')]),
  rowCount: Count,
  /** Over every value of every reading, in order; the same for both forms. */
  contentSha256: Sha256,
  file: Type.String({ pattern: '^readings/[0-9]{4}-[0-9]{2}/[A-Za-z0-9-]{1,80}\\.(parquet|ndjson)$' }),
  bytes: Count,
  sha256: Sha256,
})

const ManifestSchema = Type.Object({
  format: Type.Literal(FORMAT),
  formatVersion: Type.Integer(),
  productVersion: Text,
  madeAt: Text,
  /** Of the transaction in which everything was read, by the database's clock. */
  snapshotAt: Text,
  resellerId: Type.String({ pattern: '^[a-z0-9-]{1,64}$' }),
  migrations: Type.Array(Type.Object({ name: Text, sha256: Sha256 }), { minItems: 1, maxItems: 10_000 }),
  tables: Type.Array(TableSchema, { maxItems: MAX_TABLES }),
  readings: Type.Array(ReadingsSchema, { maxItems: MAX_READINGS_FILES }),
  /** The key that secrets in the files are encrypted with, under the passphrase. Null: secrets were left out, and the export is for reading only. */
  keys: Type.Union([KeyBoxSchema, Type.Null()]),
  notIncluded: Type.Array(Type.Object({ what: Text, why: Text }), { maxItems: MAX_TABLES }),
})
export type ExportManifest = Static<typeof ManifestSchema>
export type MovedTableEntry = Static<typeof TableSchema>
export type MovedReadingsEntry = Static<typeof ReadingsSchema>

const CheckSchema = Type.Object({ sha256: Sha256, hmacSha256: Type.Union([Sha256, Type.Null()]) })

export type ReadManifest = {
  readonly manifest: ExportManifest
  readonly text: string
  readonly sha256: string
  /** '' where there is none. */
  readonly signature: string
}

/** Throws a `MoveProblem` where the folder is no export, or its manifest not as it was written, or of a later format. */
export async function readManifest(folder: string): Promise<ReadManifest> {
  const text = await readSmall(folder, MANIFEST)
  const check = parse(MANIFEST_CHECK, await readSmall(folder, MANIFEST_CHECK))
  const sha256 = createHash('sha256').update(text).digest('hex')
  if (!Value.Check(CheckSchema, check) || check.sha256 !== sha256) throw damaged(MANIFEST)
  const value = parse(MANIFEST, text)
  requireFormat(value)
  if (!Value.Check(ManifestSchema, value)) {
    const [first] = Value.Errors(ManifestSchema, value)
    throw new MoveProblem(`${MANIFEST} cannot be used: ${first?.instancePath ?? ''} ${first?.message ?? ''}.`)
  }
  return { manifest: value, text, sha256, signature: check.hmacSha256 ?? '' }
}

function requireFormat(value: unknown): void {
  const { format, formatVersion, productVersion } = (value ?? {}) as Partial<ExportManifest>
  if (format !== FORMAT)
    throw new MoveProblem('The folder holds no export of a reseller. A backup is restored with "npx roadworthy restore".')
  if (formatVersion === FORMAT_VERSION) return
  throw new MoveProblem(
    `The export has format ${formatVersion}, and this version reads ${FORMAT_VERSION}. Install Roadworthy ${productVersion}, which made it.`,
  )
}

async function readSmall(folder: string, name: string): Promise<string> {
  const file = path.join(folder, name)
  try {
    const found = await lstat(file)
    if (found.isFile() && found.size <= MAX_MANIFEST_BYTES) return await readFile(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new MoveProblem(`${folder} is no export: there is no ${name}.`, { cause })
    throw cause
  }
  throw new MoveProblem(`${folder} is no export: ${name} has to be a file of ${MAX_MANIFEST_BYTES / 1024 / 1024} MiB at most.`)
}

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new MoveProblem(damaged(name).message, { cause })
  }
}

function damaged(name: string): MoveProblem {
  return new MoveProblem(`${name} is damaged: it is not as it was written. Copy the export again, or make another one.`)
}
