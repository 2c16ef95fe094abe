// Whether the database of an instance can be brought to this release's schema now: what would be applied, whom that holds up, and what is missing.

import { selectIdentity } from '@roadworthy/platform/backup/database-identity.sql'
import { type LastBackup, readLastBackup } from '@roadworthy/platform/backup/last-backup'
import { readSigned } from '@roadworthy/platform/backup/manifest'
import { connect, dbOf } from '@roadworthy/platform/backup/snapshot.sql'
import {
  estimateClusterRows,
  selectClusterNodes,
  selectClusterTables,
  selectSilentNodes,
} from '@roadworthy/platform/cluster/cluster-state.sql'
import { isOfSpread } from '@roadworthy/platform/cluster/spread-tables.sql'
import { MIGRATIONS } from '@roadworthy/platform/main/database/prepare-database'
import type { HeldUp } from '@roadworthy/platform/main/database/rehearsal.sql'
import { type Rehearsed, rehearseMigrations } from '@roadworthy/platform/main/database/rehearse-migrations'
import { countServiceSessions, selectTableSizes, type TableSize } from '@roadworthy/platform/main/database/upgrade-facts.sql'
import { SERVICE_VERSION } from '@roadworthy/platform/surfaces/service-version'
import { type MigrationPlan, planMigrations, readMigrations } from '@roadworthy/service-kit/postgres/migrate'
import { megabytes } from './backup-options.ts'
import { counted } from './counted.ts'
import { type Finding, okay, skip, warning, wrong } from './finding.ts'
import { findServerDisk, type ServerDisk } from './server-disk.ts'

export type UpgradeOptions = {
  /** A backup that was made elsewhere. */
  readonly backup: string | undefined
  readonly backupWithinH: number
  /** Asked for. */
  readonly isWithoutBackup: boolean
}

export type Step = { readonly migration: string; readonly breaking: boolean; readonly effects: readonly Effect[] }
type Effect = {
  readonly table: string
  readonly holds_up: HeldUp
  readonly rewritten: boolean
  readonly indexes: readonly string[]
  readonly rows: number
  readonly rows_estimated: boolean
  readonly bytes: number
  readonly large: boolean
}

export type UpgradeCheck = { readonly pending: readonly Step[]; readonly findings: readonly Finding[] }

/** Rewriting or indexing a table of this size takes minutes on a usual disk. Assumption: 100 MB/s and 50,000 rows/s, so about 20 s from here on. */
const LARGE_BYTES = 1024 ** 3
const LARGE_ROWS = 1_000_000
/** Of what is rewritten: the new files beside the old ones, and the log of both. */
const REWRITE_FACTOR = 2
/** Of a table that is indexed: an index of it, and the log of that. Assumption. */
const INDEX_FACTOR = 0.5
/** For the log of what else is done. Assumption. */
const SPARE_BYTES = 256 * 1024 ** 2
const HOUR_MS = 3_600_000

type Session = Awaited<ReturnType<typeof connect>>
type Cluster = { readonly nodeCount: number; readonly silent: readonly { readonly address: string; readonly reason: string }[] }

type Place = { readonly ownerUrl: string; readonly dataDir: string; readonly now: Date; readonly signal: AbortSignal }

export async function checkUpgrade(place: Place, options: UpgradeOptions): Promise<UpgradeCheck> {
  const client = await connect(place.ownerUrl)
  try {
    const plan = await planMigrations(client, await readMigrations(MIGRATIONS))
    if (plan.refusal !== undefined) return { pending: [], findings: [refused(plan.refusal)] }
    const rehearsed = plan.known.length === 0 ? namesOnly(plan) : await rehearseMigrations(plan, place.signal)
    const cluster = await findCluster(client)
    const sizes = await sizesOf(client, [...new Set(rehearsed.flatMap(({ effects }) => effects.map(({ table }) => table)))], cluster)
    const pending = rehearsed.map((each) => stepOf(each, sizes))
    const ofCluster = cluster === undefined ? [] : [judgeCluster(pending, cluster)]
    if (pending.length === 0) return { pending, findings: [describeSchema(plan), ...ofCluster, skip('backup', 'nothing is to be changed')] }
    const ofCoordinator = pending.map((each) => ({
      ...each,
      effects: each.effects.filter(({ table }) => cluster === undefined || !isOfSpread(table)),
    }))
    const findings = [
      ...[describeSchema(plan), judgeTables(pending), ...ofCluster],
      ...[judgeSpace(ofCoordinator, await findServerDisk(client, place.ownerUrl))],
      ...[judgeProcesses(pending, await countServiceSessions(client))],
      plan.known.length === 0 ? skip('backup', 'the database is empty') : await judgeBackup(await selectIdentity(client), place, options),
    ]
    return { pending, findings }
  } finally {
    await client.end()
  }
}

/** Undefined: readings are on one PostgreSQL. */
async function findCluster(client: Session): Promise<Cluster | undefined> {
  const nodes = await selectClusterNodes(dbOf(client))
  if (nodes === undefined) return undefined
  return { nodeCount: nodes.length, silent: await selectSilentNodes(dbOf(client)) }
}

/** Tables that are spread have their rows on the nodes, and are nothing on the coordinator. */
async function sizesOf(client: Session, tables: readonly string[], cluster: Cluster | undefined): Promise<TableSize[]> {
  if (cluster === undefined || cluster.silent.length > 0) return await selectTableSizes(client, tables)
  const spread = tables.filter(isOfSpread)
  const [sizes, found] = [
    await selectTableSizes(
      client,
      tables.filter((table) => !isOfSpread(table)),
    ),
    await selectClusterTables(dbOf(client)),
  ]
  const estimates = await estimateClusterRows(dbOf(client), spread)
  const onNodes = spread.map((table) => {
    const bytes = found.find(({ name }) => name === table)?.bytes ?? 0
    return { table, bytes, rows: estimates.get(table) ?? 0, isEstimated: true }
  })
  return [...sizes, ...onNodes]
}

/** A migration changes every shard of a table that is spread, in one transaction of all nodes. */
export function judgeCluster(pending: readonly Step[], { nodeCount, silent }: Cluster): Finding {
  const [first] = silent
  if (first !== undefined) {
    return wrong('cluster', {
      detail: `${first.address} does not answer: ${first.reason}.`,
      why: 'Migrations change tables on every node, and functions and roles too.',
      fix: 'Every node has to be up. Start it, then repeat this.',
    })
  }
  const changed = [...new Set(pending.flatMap(({ effects }) => effects.map(({ table }) => table)).filter(isOfSpread))]
  if (pending.length === 0) return okay('cluster', `${nodeCount} nodes, which all answer`)
  const what = changed.length === 0 ? 'no table that is spread is changed' : `${changed.join(', ')} are changed on each, shard by shard`
  return warning('cluster', {
    detail: `${nodeCount} nodes; ${what}.`,
    why: 'What the migrations do was tried on one PostgreSQL. The room that a node needs cannot be seen from here, and new tables have policies that Citus does not plan until they are replaced.',
    fix: 'See that each node has as much free as the largest of its shards that are changed. After the upgrade run "npx roadworthy citus init" once more.',
  })
}

/** On an empty database everything is made, and holds up nobody. */
function namesOnly({ pending }: MigrationPlan): Rehearsed[] {
  return pending.map(({ name, isBreaking }) => ({ migration: name, isBreaking, effects: [] }))
}

function stepOf({ migration, isBreaking, effects }: Rehearsed, sizes: readonly TableSize[]): Step {
  return {
    ...{ migration, breaking: isBreaking },
    effects: effects.map(({ table, heldUp, isRewritten, indexes }) => {
      const { rows, bytes, isEstimated } = sizes.find((size) => size.table === table) ?? { rows: 0, bytes: 0, isEstimated: false }
      const isLarge = rows >= LARGE_ROWS || bytes >= LARGE_BYTES
      return { table, holds_up: heldUp, rewritten: isRewritten, indexes, rows, rows_estimated: isEstimated, bytes, large: isLarge }
    }),
  }
}

function refused(reason: string): Finding {
  const [what = reason, ...fix] = reason.split('. ')
  return wrong('schema', {
    detail: `${what.replace(/\.$/, '')}.`,
    why: `Roadworthy ${SERVICE_VERSION} does not start on this database.`,
    fix: fix.join('. ') || 'Install the release that this database was upgraded with, whose migrations are as they were applied.',
  })
}

function describeSchema({ known, pending, newer }: MigrationPlan): Finding {
  if (newer.length > 0) {
    return warning('schema', {
      detail: `of a newer version: ${newer.join(', ')}; ${counted(pending.length, 'migration')} of this version to apply.`,
      why: `Roadworthy ${SERVICE_VERSION} can go on beside it: none of these is breaking. It does not show what they are for.`,
      fix: 'Start the newer version where you did not mean to go back.',
    })
  }
  const last = known.at(-1)?.name
  if (pending.length === 0) return okay('schema', `that of Roadworthy ${SERVICE_VERSION}, up to ${last}`)
  return okay(
    'schema',
    last === undefined
      ? `empty; ${counted(pending.length, 'migration')} to apply`
      : `${counted(pending.length, 'migration')} after ${last}`,
  )
}

export function judgeTables(pending: readonly Step[]): Finding {
  const slow = pending.flatMap(({ effects }) =>
    effects.filter(({ large, rewritten, indexes }) => large && (rewritten || indexes.length > 0)),
  )
  const touched = new Set(pending.flatMap(({ effects }) => effects.map(({ table }) => table)))
  if (slow.length === 0)
    return okay('tables', `${counted(touched.size, 'table')} locked for a moment; none that is large is rewritten or indexed`)
  const listed = slow.map((effect) => `${effect.table} (${describeEffect(effect)})`).join(', ')
  return warning('tables', {
    detail: `large ones are worked through: ${listed}.`,
    why: 'Until each is done, readings are not acknowledged; devices that keep what is not acknowledged send it again.',
    fix: 'Do it at a quiet hour. One large table takes from half a minute to some minutes for each gigabyte.',
  })
}

export function describeEffect({ holds_up, rewritten, indexes, rows, rows_estimated, bytes }: Effect): string {
  const waits = { nobody: [], writers: ['writers wait'], everybody: ['readers and writers wait'] }[holds_up]
  const done = [
    rewritten ? ['rewritten'] : [],
    indexes.length > 0 ? [`${indexes.length} index${indexes.length > 1 ? 'es' : ''} built`] : [],
  ]
  return [...done.flat(), ...waits, `${rows_estimated ? 'about ' : ''}${Math.round(rows)} rows, ${megabytes(bytes)}`].join(', ')
}

function judgeSpace(pending: readonly Step[], disk: ServerDisk | undefined): Finding {
  const effects = pending.flatMap((step) => step.effects)
  const takes = ({ rewritten, indexes, bytes }: Effect) => bytes * ((rewritten ? REWRITE_FACTOR : 0) + INDEX_FACTOR * indexes.length)
  const wantedBytes = SPARE_BYTES + effects.reduce((sum, effect) => sum + takes(effect), 0)
  if (disk === undefined) return skip('disk', `that of the server cannot be seen from here; it needs ${megabytes(wantedBytes)} free`)
  const detail = `${megabytes(disk.freeBytes)} are free where the database is, and about ${megabytes(wantedBytes)} are needed`
  if (disk.freeBytes >= wantedBytes) return okay('disk', detail)
  return wrong('disk', {
    detail: `${detail}.`,
    why: 'A disk that fills up undoes the migration under way, and until there is room nothing is acknowledged.',
    fix: `Free some space on the disk of ${disk.folder}, or enlarge it.`,
  })
}

/** A breaking one leaves nothing that processes of the version before could work with. */
export function judgeProcesses(pending: readonly Step[], sessions: number): Finding {
  const breaking = pending.find((step) => step.breaking)
  if (sessions === 0) return okay('processes', 'none of the service has a connection to the database')
  if (breaking === undefined) return okay('processes', `${sessions} connections of the service, which goes on meanwhile`)
  return wrong('processes', {
    detail: `${sessions} connections of the service, and ${breaking.migration} is breaking.`,
    why: 'Processes of the version before fail on the new schema, and refuse or lose what they are sent.',
    fix: 'Stop every process of the service on this database, and the pooler, then repeat this.',
  })
}

export async function judgeBackup(
  identity: string,
  { dataDir, now }: Pick<Place, 'dataDir' | 'now'>,
  options: UpgradeOptions,
): Promise<Finding> {
  if (options.isWithoutBackup) return skip('backup', 'not asked for (--without-backup)')
  const last = options.backup === undefined ? readLastBackup(dataDir) : await lastOf(options.backup, identity)
  const why = 'There are no migrations backwards: the way back to the version before is a backup from before.'
  const fix = 'Make one with "npx roadworthy backup", name one with --backup, or give --without-backup where you keep one by other means.'
  if (last === undefined) return wrong('backup', { detail: `none is recorded in ${dataDir}.`, why, fix })
  if (last.database !== identity) return wrong('backup', { detail: `that in ${last.folder} is of another database.`, why, fix })
  const ageH = (now.getTime() - Date.parse(last.as_of)) / HOUR_MS
  const detail = `of ${last.as_of} in ${last.folder}`
  if (ageH <= options.backupWithinH) return okay('backup', detail)
  return wrong('backup', { detail: `${detail} is ${Math.floor(ageH)} h old; up to ${options.backupWithinH} h are asked for.`, why, fix })
}

/** Whose database it is does not follow from a folder; who names it is believed. */
async function lastOf(folder: string, database: string): Promise<LastBackup> {
  const { value } = await readSigned(folder)
  const { snapshotAt, startedAt } = (value ?? {}) as { snapshotAt?: string; startedAt?: string }
  return { folder, kind: startedAt === undefined ? 'rows' : 'base', as_of: snapshotAt ?? startedAt ?? '', database }
}
