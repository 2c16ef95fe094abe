// `npm run test:citus`: tests of what is spread over nodes, on a real cluster of a coordinator and two workers. Reports why and succeeds where there is no Citus.
// `npm run test:citus -- path/to/file.test.ts` runs a choice of files; options that start with `--` go to node:test.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findCitus, TestCitus } from '../../test/support/citus.ts'
import { whyTooLate } from '../../test/support/time-left.ts'
import { COMPILE_CACHE } from './compile-cache.ts'
import { fuzzSeed } from './fuzz-seed.ts'
import { groupFiles } from './group-tests.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const WORKERS = 2
/** Measured: 663 s on two cores, alone. In CI those of Kafka run beside. */
const TESTS_TAKE_S = 900

/** A node has 200 connections. */
const TEST_CONCURRENCY = Math.min(availableParallelism(), 4)

/**
 * What the same tests bring about on one PostgreSQL: a reading that is known and a name that is taken, what a role or a tenant may not do, a week that is
 * sealed or has no partition, a lock that is waited for in vain, values that cannot be stored, and what constraints of bills and an earlier schema refuse.
 * Sessions end when the database of a test is dropped, and Citus looks for it a while. Nobody is a user of Traccar's database.
 */
const EXPECTED = [
  /duplicate key value violates unique constraint/,
  /permission denied for (table|sequence)|violates row-level security policy/,
  /are sealed$|violates check constraint "sealed_|no partition of relation/,
  /canceling statement due to (lock|statement) timeout/,
  /unsupported Unicode escape sequence|division by zero/,
  /terminating (connection|autovacuum process) due to administrator command|database \S+ (does not exist|is being accessed by other users)/,
  /violates foreign key constraint "sims_|do not sum to zero|relation "gateway_events" does not exist/,
  /role "nobody" does not exist/,
]

/**
 * With a migration: writers come back, as `partitioned-logs-migration.db.test.ts` has them do. PostgreSQL shows the statement that waits: the first of a
 * migration begins with its owner, and each of the others changes the schema, which nothing else does beside writers.
 */
const DEADLOCK_WITH_MIGRATION = /deadlock detected\n.*(-- Owner: |Process \d+:\s+(do \$\$|(alter|create|drop|lock) \w+))/s

/**
 * A maintenance daemon of Citus looks at the other nodes of its database every few seconds, for deadlocks and for prepared transactions. It may do so just
 * while a template is closed to connections so that it can be copied, or while the database of a test that is over is dropped. The node that is asked
 * notes only the first of the two.
 */
const CLOSED_TEMPLATE = /database "template_\w+_draft" is not currently accepting connections/
const DAEMON_CUT_OFF = /(ERROR|WARNING): {2}server closed the connection unexpectedly\n.*Citus maintenance daemon for database \d+/s

const SPREAD_TABLE = /\b(?:readings|latest_states|reading_effects)\b/

/** What they do goes along with readings, or is about every table. */
const MIXED_SLICES = new Set(['main', 'limits', 'streams', 'surfaces'])

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const { env } = process
  const script = findCitus(env['ROADWORTHY_CITUS'])
  if (script === undefined) {
    console.log('skipped: there is no Citus. ROADWORTHY_CITUS names a folder with Citus and a script that starts a cluster of it.')
    return 0
  }
  const tooLate = whyTooLate(TESTS_TAKE_S)
  if (tooLate !== undefined) {
    console.log(`skipped: all of it ${tooLate}.`)
    return 0
  }
  const citus = await TestCitus.start(script, WORKERS)
  const groups = mkdtempSync(join(tmpdir(), 'roadworthy-groups-'))
  try {
    const code = await runTests(args, citus, groups)
    const unexpected = citus.errors().filter((entry) => !isExpected(entry))
    for (const entry of unexpected) console.error(entry)
    if (unexpected.length > 0) console.error(`${unexpected.length} errors in the logs of the nodes`)
    return code === 0 && unexpected.length > 0 ? 1 : code
  } finally {
    rmSync(groups, { recursive: true })
    citus.remove()
  }
}

function isExpected(entry: string): boolean {
  const [line = ''] = entry.split('\n', 1)
  if (EXPECTED.some((pattern) => pattern.test(line)) || CLOSED_TEMPLATE.test(line)) return true
  return DEADLOCK_WITH_MIGRATION.test(entry) || DAEMON_CUT_OFF.test(entry)
}

async function runTests(args: string[], citus: TestCitus, groups: string): Promise<number> {
  const chosen = args.filter((arg) => !arg.startsWith('--')).map((path) => resolve(path))
  const options = args.filter((arg) => arg.startsWith('--'))
  const files = chosen.length > 0 ? chosen : groupFiles(ROOT, filesOfCluster(), groups)
  const workers = Array.from({ length: WORKERS }, (_, nth) => citus.url(nth + 1)).join(',')
  const { env: given } = process
  const database = { TEST_DATABASE_URL: citus.url(0), TEST_DATABASE_WORKERS: workers }
  const env = { ROADWORTHY_FUZZ_SEED: fuzzSeed(ROOT), ...given, ...database, NODE_COMPILE_CACHE: COMPILE_CACHE }
  const nodeArgs = ['--test', `--test-concurrency=${TEST_CONCURRENCY}`, ...options, ...files]
  const child = spawn(process.execPath, nodeArgs, { cwd: ROOT, env, stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal))
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

/** Tests of everything that reads or writes what is spread over nodes, and the suites that call the service as a user does. */
function filesOfCluster(): string[] {
  const patterns = ['services/platform/src/**/*.db.test.ts', 'test/conformance/*.test.ts', '{services,test}/**/*.citus.test.ts']
  return globSync(patterns, { cwd: ROOT })
    .filter((path) => !path.endsWith('.long.test.ts') && !isOfCoordinator(path))
    .sort()
}

/** Tests of a slice that has statements, of which none names a table that is spread: it works on the coordinator as on one PostgreSQL. */
function isOfCoordinator(path: string): boolean {
  const [, slice] = /^services\/platform\/src\/(\w+)\//.exec(path) ?? []
  if (slice === undefined) return false
  const statements = globSync(`services/platform/src/${slice}/**/*.sql.ts`, { cwd: ROOT })
  return (
    statements.length > 0 &&
    !MIXED_SLICES.has(slice) &&
    !statements.some((each) => SPREAD_TABLE.test(readFileSync(resolve(ROOT, each), 'utf8')))
  )
}
