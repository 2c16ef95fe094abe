// `manifest.json` of a backup: what it holds, and the hash of each part. `manifest.check.json` beside it has the hash of the manifest itself, and its signature under the
// passphrase (ADR 0042 has the format).

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { BackupProblem } from './backup-problem.ts'
import { KeyBoxSchema } from './passphrase.ts'

export const MANIFEST = 'manifest.json'
export const MANIFEST_CHECK = 'manifest.check.json'
export const FORMAT = 'roadworthy-backup'
/** Grows when an earlier program would misread what a later one writes. */
export const FORMAT_VERSION = 1

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' })
/** Below the backup, and never above it. */
const Path = Type.String({ pattern: '^(?!.*\\.\\.)[A-Za-z0-9_=.-]+(/[A-Za-z0-9_=.-]+)*$' })
const Count = Type.Integer({ minimum: 0 })
const File = { file: Path, bytes: Count, sha256: Sha256 }

const PartitionSchema = Type.Object({
  name: Name,
  bound: Type.String({ pattern: "^FOR VALUES FROM \\((MINVALUE|'[0-9: +.-]+')\\) TO \\((MAXVALUE|'[0-9: +.-]+')\\)$" }),
  options: Type.Array(Type.String({ pattern: '^[a-z_.]+=[A-Za-z0-9._-]+$' })),
  isClosed: Type.Boolean(),
})

const TableSchema = Type.Object({
  name: Name,
  columns: Type.Array(Name),
  rowCount: Count,
  rowsDigest: Sha256,
  ...File,
  isPartitioned: Type.Boolean(),
  partitions: Type.Array(PartitionSchema),
})

const ManifestSchema = Type.Object({
  format: Type.Literal(FORMAT),
  formatVersion: Type.Integer(),
  productVersion: Type.String(),
  madeAt: Type.String(),
  /** Of the transaction in which everything was read, by the database's clock. */
  snapshotAt: Type.String(),
  postgresVersion: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String({ pattern: '^[0-9]{4}_[a-z0-9_]+\\.sql$' }), sha256: Sha256 }), { minItems: 1 }),
  tables: Type.Array(TableSchema),
  sequences: Type.Array(Type.Object({ name: Name, lastValue: Type.String({ pattern: '^-?[0-9]+$' }) })),
  history: Type.Object({
    isIncluded: Type.Boolean(),
    files: Type.Array(Type.Object({ path: Path, bytes: Count, sha256: Sha256 })),
  }),
  keys: Type.Union([KeyBoxSchema, Type.Null()]),
  notIncluded: Type.Array(Type.Object({ what: Type.String(), why: Type.String() })),
})
export type Manifest = Static<typeof ManifestSchema>
export type TableEntry = Static<typeof TableSchema>
export type PartitionEntry = Static<typeof PartitionSchema>

const CheckSchema = Type.Object({ sha256: Sha256, hmacSha256: Type.Union([Sha256, Type.Null()]) })
type Check = Static<typeof CheckSchema>

export type ReadManifest = { readonly manifest: Manifest; readonly text: string; readonly check: Check }

export function checkOf(text: string, signature: string | null): string {
  return `${JSON.stringify({ sha256: sha256Of(text), hmacSha256: signature } satisfies Check, undefined, 2)}\n`
}

/** Throws where it is no backup, or not as it was written, or of a later format. */
export async function readManifest(folder: string): Promise<ReadManifest> {
  const text = await readPart(folder, MANIFEST)
  const check = parse(MANIFEST_CHECK, await readPart(folder, MANIFEST_CHECK))
  if (!Value.Check(CheckSchema, check)) throw damaged(MANIFEST_CHECK)
  if (check.sha256 !== sha256Of(text)) throw damaged(MANIFEST)
  const manifest = parse(MANIFEST, text)
  const { format, formatVersion, productVersion } = (manifest ?? {}) as Partial<Manifest>
  if (format !== FORMAT) throw new BackupProblem(`${path.join(folder, MANIFEST)} is not the manifest of a backup of Roadworthy.`)
  if (formatVersion !== FORMAT_VERSION) {
    throw new BackupProblem(
      `The backup has format ${formatVersion}, and this version reads ${FORMAT_VERSION}. Install Roadworthy ${productVersion}, which made it.`,
    )
  }
  if (!Value.Check(ManifestSchema, manifest)) {
    const [first] = Value.Errors(ManifestSchema, manifest)
    throw new BackupProblem(`${MANIFEST} cannot be used: ${first?.instancePath ?? ''} ${first?.message ?? ''}.`)
  }
  return { manifest, text, check }
}

async function readPart(folder: string, name: string): Promise<string> {
  try {
    return await readFile(path.join(folder, name), 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new BackupProblem(`${folder} is no backup: there is no ${name}.`, { cause })
    throw cause
  }
}

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new BackupProblem(damaged(name).message, { cause })
  }
}

function damaged(name: string): BackupProblem {
  return new BackupProblem(`${name} is damaged: it is not as it was written. Take another backup.`)
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
