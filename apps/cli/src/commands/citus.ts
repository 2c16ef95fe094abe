import {
  type ClusterNode,
  countMovesToBalance,
  countPreparedTransactions,
  rebalanceShards,
  selectClusterNodes,
  selectClusterTables,
} from '@roadworthy/platform/cluster/cluster-state.sql'
import { distribute } from '@roadworthy/platform/cluster/distribute.sql'
import { ClusterObstacles } from '@roadworthy/platform/cluster/obstacles.sql'
import { withOwnerSession } from '@roadworthy/platform/cluster/owner-session'
import { undistribute } from '@roadworthy/platform/cluster/undistribute.sql'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { isOutage } from '@roadworthy/service-kit/telemetry/outage'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Context, examples, handle, type Surroundings } from '../command.ts'
import { counted } from '../counted.ts'
import { drainEffects } from '../drain-effects.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { databaseUrlsOf, requireSecretKey } from '../operator.ts'
import { findServerDisk, type ServerDisk } from '../server-disk.ts'

/** Of Citus: several for each node that there may be one day. */
const DEFAULT_SHARDS = 32
const MAX_SHARDS = 1_024

type At = { databaseUrl?: string }

export function addCitus(program: Command, surroundings: Surroundings): void {
  const citus = program.command('citus').description('readings on several nodes, by Citus (for the operator of the instance)')
  const at = () => new Option('--database-url <url>', 'the coordinator, as the owner of the database; DATABASE_URL unless given')
  citus
    .command('init')
    .description(
      'spread readings over the nodes of a Citus cluster, and what is kept with them; may be repeated, and is after each release',
    )
    .addOption(at())
    .addOption(new Option('--shards <count>', 'parts of each table').argParser(toShardCount).default(DEFAULT_SHARDS))
    .addHelpText('after', examples('npx roadworthy citus init --database-url postgresql://roadworthy:…@coordinator.example.com/roadworthy'))
    .action(handle<At & { shards: number }>(surroundings, init))
  citus
    .command('status')
    .description('the nodes, and what is on each')
    .addOption(at())
    .addHelpText('after', examples('npx roadworthy citus status', 'npx roadworthy citus status --json'))
    .action(handle<At>(surroundings, status))
  citus
    .command('rebalance')
    .description('move shards so that each node has its share, as after a node was added; readings are taken meanwhile')
    .addOption(at())
    .addOption(new Option('--block-writes', 'without logical replication: the readings of a shard wait while it is moved'))
    .addHelpText('after', examples('npx roadworthy citus rebalance'))
    .action(handle<At & { blockWrites?: boolean }>(surroundings, rebalance))
  citus
    .command('undo')
    .description(
      'bring everything back to the one PostgreSQL of the coordinator, as if it had never been spread; while no process of the service runs',
    )
    .addOption(at())
    .addHelpText('after', examples('npx roadworthy citus undo --database-url postgresql://roadworthy:…@coordinator.example.com/roadworthy'))
    .action(handle<At>(surroundings, undo))
}

async function init(context: Context, { databaseUrl, shards }: At & { shards: number }): Promise<void> {
  try {
    const { tables, shardCount } = await distribute(urlOf(context, databaseUrl), { shardCount: shards })
    context.out.answer({ distributed: tables, shards: shardCount }, () =>
      tables.length === 0
        ? `Everything is distributed already, in ${shardCount} shards.`
        : `${tables.join(', ')}: ${shardCount} shards each`,
    )
  } catch (error) {
    throw explain(error)
  }
}

async function undo(context: Context, { databaseUrl }: At): Promise<void> {
  const ownerUrl = urlOf(context, databaseUrl)
  const secretKey = requireSecretKey(context.env, context.instance.dataDir)
  try {
    await withOwnerSession(ownerUrl, async (db) => refuseFullDisk(db, ownerUrl))
    const { tables, unfinished } = await undistribute(ownerUrl, { drain: async () => drainEffects(ownerUrl, secretKey) })
    const returned = tables.map(({ name, rowCount }) => ({ name, rows: rowCount }))
    context.out.answer({ returned, unfinished_nodes: unfinished }, () => describeReturn(returned, unfinished))
  } catch (error) {
    throw explain(error)
  }
}

export function describeReturn(returned: readonly { name: string; rows: number }[], unfinished: readonly string[]): string {
  const lines = returned.map(({ name, rows }) => `${name}: ${counted(rows, 'row')} came back`)
  if (lines.length === 0) lines.push('Everything is on one PostgreSQL already.')
  if (unfinished.length > 0) {
    lines.push(
      `The files of the shards are still on ${unfinished.join(', ')}: Citus removes them within a minute of the node being up. Run this again to see it; until then remove neither the node nor the extension.`,
    )
  } else if (returned.length > 0) lines.push('The workers have nothing of it any more.')
  return lines.join('\n')
}

/** What is spread has to fit beside what the coordinator has. Where its disk cannot be seen, PostgreSQL undoes everything when it is full. */
async function refuseFullDisk(db: Db, ownerUrl: string): Promise<void> {
  if ((await selectClusterNodes(db)) === undefined) return
  const bytes = (await selectClusterTables(db)).reduce((sum, table) => sum + table.bytes, 0)
  const lack = describeLack(bytes, await findServerDisk(db, ownerUrl))
  if (lack !== undefined) throw new CommandFailure(lack)
}

export function describeLack(bytes: number, disk: ServerDisk | undefined): string | undefined {
  if (disk === undefined || disk.freeBytes >= bytes) return undefined
  return `${megabytes(bytes)} are to come back, and ${megabytes(disk.freeBytes)} are free at ${disk.folder} of the coordinator. Make room there, or enlarge its disk.`
}

async function status(context: Context, { databaseUrl }: At): Promise<void> {
  await withOwner(context, databaseUrl, async (db) => {
    const nodes = await requireNodes(db)
    const [tables, moves, prepared] = [await selectClusterTables(db), await countMovesToBalance(db), await countPreparedTransactions(db)]
    const answer = {
      nodes: nodes.map(({ address, isCoordinator, isActive, shardCount, bytes }) => {
        return { address, role: isCoordinator ? 'coordinator' : 'worker', active: isActive, shards: shardCount, bytes }
      }),
      tables: tables.map(({ name, shardCount, bytes }) => ({ name, shards: shardCount, bytes })),
      moves_to_balance: moves,
      prepared_transactions: prepared,
    }
    context.out.answer(answer, () =>
      [
        ...answer.nodes.map(
          ({ address, role, active, shards, bytes }) =>
            `${address}  ${role}${active ? '' : ', not active'}  ${shards} shards  ${megabytes(bytes)}`,
        ),
        ...answer.tables.map(({ name, shards, bytes }) => `${name}  ${shards} shards  ${megabytes(bytes)}`),
        moves === 0 ? 'Each node has its share.' : `${moves} shards are to be moved: npx roadworthy citus rebalance`,
      ].join('\n'),
    )
  })
}

async function rebalance(context: Context, { databaseUrl, blockWrites = false }: At & { blockWrites?: boolean }): Promise<void> {
  await withOwner(context, databaseUrl, async (db) => {
    await requireNodes(db)
    const moves = await countMovesToBalance(db)
    await rebalanceShards(db, blockWrites ? 'block_writes' : 'auto')
    context.out.answer({ moved: moves }, () => (moves === 0 ? 'Each node had its share.' : `${moves} shards were moved.`))
  })
}

async function requireNodes(db: Db): Promise<ClusterNode[]> {
  const nodes = await selectClusterNodes(db)
  if (nodes !== undefined) return nodes
  throw new CommandFailure('Readings are on one PostgreSQL. "npx roadworthy citus init" spreads them over the nodes of a cluster.')
}

async function withOwner(context: Context, databaseUrl: string | undefined, run: (db: Db) => Promise<void>): Promise<void> {
  try {
    await withOwnerSession(urlOf(context, databaseUrl), run)
  } catch (error) {
    throw explain(error)
  }
}

function urlOf({ env, instance }: Context, databaseUrl: string | undefined): string {
  return databaseUrl ?? databaseUrlsOf(env, instance.dataDir).owner
}

function explain(error: unknown): unknown {
  const { code, severity, message } = error as { code?: unknown; severity?: unknown; message?: string }
  if (error instanceof CommandFailure) return error
  if (error instanceof ClusterObstacles) return new CommandFailure(error.message, exitCodes.failed, error)
  if (wentAway(error)) {
    const fix = 'Whether that was before or after it took effect is not known here; run this again when it is up.'
    return new CommandFailure(`The coordinator went away: ${message}. ${fix}`, exitCodes.failed, error)
  }
  if (severity !== undefined) return new CommandFailure(`The cluster refuses it: ${message}`, exitCodes.failed, error)
  return typeof code === 'string' ? new CommandFailure(`The coordinator does not answer: ${message}`, exitCodes.failed, error) : error
}

/** Of PostgreSQL: it was shut down, or one of its processes was killed. */
const SHUT_DOWN = new Set(['57P01', '57P02'])

/** The session had begun. Where the coordinator could not be reached, the error has a code of Node. */
export function wentAway(error: unknown): boolean {
  const { code, severity, message = '' } = error as { code?: unknown; severity?: unknown; message?: string }
  if (severity === undefined) return code === undefined && isOutage(error)
  // Citus reports it so, under the code of an internal error, where it waited for a node meanwhile.
  return SHUT_DOWN.has(String(code)) || severity === 'PANIC' || message.startsWith('postmaster was shut down')
}

function toShardCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= MAX_SHARDS) return count
  throw new InvalidArgumentError(`It is a whole number from 1 to ${MAX_SHARDS}.`)
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
