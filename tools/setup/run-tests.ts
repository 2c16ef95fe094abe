// `npm test`: one PostgreSQL for the whole run, node:test over every test file, and node:test's own summary as the last thing printed.
// `npm test -- path/to/file.test.ts` runs a choice of files; options that start with `--` go to node:test.
// `--long` runs the long suites, and only those. `--delayed` has what comes in over sockets wait by chance, which shows what depends on an order.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { startTestServer } from '@roadworthy/service-kit/postgres/test-database'
import { COMPILE_CACHE } from './compile-cache.ts'
import { fuzzSeed } from './fuzz-seed.ts'
import { beginFirst, groupFiles } from './group-tests.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const FOLDERS = ['packages', 'services', 'apps', 'tools', 'test']

/**
 * More than there are cores, of which the smallest machine has two: a test waits for a sixth to a half of its time, for a database, a service or a page. No
 * more than the server for tests has connections for.
 */
const CONCURRENCY = Math.min(Math.ceil(availableParallelism() * 1.5), 12)

/** Those that take minutes, most of them waiting: begun last, they would run alone. */
const BEGUN_FIRST = [
  'test/security/hostile-streams.long.test.ts',
  'test/e2e/every-page-in-the-dashboard.long.test.ts',
  'test/faults/roles.long.test.ts',
]

/** They hold a busy service to the time in which it has to end. Beside other files they would measure those. */
const RUN_ALONE = ['test/faults/stop.long.test.ts']

/** Holds events to their documentation, in the process of every test file. */
const CHECK_EVENTS = import.meta.resolve('../../test/support/check-events.ts')
const DELAYED_PROCESS = import.meta.resolve('./delayed-process.js')

/** After a signal the tests get this long before they are killed, so that the server is stopped in every case. */
const STOP_GRACE_MS = 10_000

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const isLong = args.includes('--long')
  const options = args.filter((arg) => arg.startsWith('--') && !['--long', '--delayed'].includes(arg))
  const chosen = args.filter((arg) => !arg.startsWith('--')).map((path) => resolve(path))
  const isWhole = !isLong && chosen.length === 0 && options.length === 0
  const stages = stagesOf(chosen.length > 0 ? chosen : findTestFiles(isLong))
  if (stages.length === 0) {
    console.error('There is no test file to run.')
    return isLong ? 0 : 1
  }
  let stopSignal: NodeJS.Signals | undefined
  let child: ChildProcess | undefined
  const onSignal = (signal: NodeJS.Signals): void => {
    stopSignal = signal
    child?.kill(signal)
    setTimeout(() => child?.kill('SIGKILL'), STOP_GRACE_MS).unref()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  const server = await startTestServer()
  const eventNotes = join(server.temporaryFolder, 'published-events')
  const settings = {
    ...{ TEST_DATABASE_URL: server.url, TMPDIR: server.temporaryFolder, ROADWORTHY_PUBLISHED_EVENTS: eventNotes },
    ...(args.includes('--delayed') ? delayed() : {}),
  }
  let exitCode = 0
  try {
    for (const { files, concurrency } of stages) {
      if (stopSignal !== undefined) return 1
      const folder = server.temporaryFolder
      const given = isWhole ? groupFiles(ROOT, files, folder) : beginFirst(ROOT, files, BEGUN_FIRST, folder)
      child = startNodeTest(given, [`--test-concurrency=${concurrency}`, ...options], settings)
      const [code] = (await once(child, 'exit')) as [number | null]
      if (code !== 0) exitCode = code ?? 1
    }
    return exitCode === 0 && isWhole && !(await isEveryEventPublished(eventNotes)) ? 1 : exitCode
  } finally {
    await server.stop()
  }
}

/** Through the environment, so that the services that tests start are delayed too. */
function delayed(): Record<string, string> {
  const nodeOptions = [process.env.NODE_OPTIONS, `--import ${DELAYED_PROCESS}`].filter((options) => options !== undefined)
  return { NODE_OPTIONS: nodeOptions.join(' ') }
}

type Stage = { files: string[]; concurrency: number }

function stagesOf(files: readonly string[]): Stage[] {
  const alone = files.filter((path) => RUN_ALONE.some((each) => resolve(ROOT, path) === resolve(ROOT, each)))
  const together = files.filter((path) => !alone.includes(path))
  return [
    { files: alone, concurrency: 1 },
    { files: together, concurrency: CONCURRENCY },
  ].filter((stage) => stage.files.length > 0)
}

/** Of every type one, so that each is known to be as it is documented. */
async function isEveryEventPublished(eventNotes: string): Promise<boolean> {
  const { neverPublished } = await import('@roadworthy/platform/events/test-documented-event')
  const missing = neverPublished(existsSync(eventNotes) ? readFileSync(eventNotes, 'utf8') : '')
  if (missing.length > 0) console.error(`No test has the service publish ${missing.join(', ')}: add one for each.`)
  return missing.length === 0
}

function findTestFiles(isLong: boolean): string[] {
  const found = globSync(`{${FOLDERS.join(',')}}/**/*.test.ts`, { cwd: ROOT, exclude: (name) => name === 'node_modules' })
  // Those need a Kafka, a Citus or the machine for themselves: `npm run test:kafka`, `test:citus`, `test:images`.
  return found.filter((path) => isLongSuite(path) === isLong && !/\.(kafka|citus|images)\.test\.ts$/.test(path)).sort()
}

function isLongSuite(path: string): boolean {
  return path.endsWith('.long.test.ts') || path.startsWith('test/faults/')
}

function startNodeTest(files: string[], options: string[], settings: Record<string, string>): ChildProcess {
  const args = ['--import', CHECK_EVENTS, '--test', ...options, ...files]
  const env = { ROADWORTHY_FUZZ_SEED: fuzzSeed(ROOT), ...process.env, ...settings, NODE_COMPILE_CACHE: COMPILE_CACHE }
  return spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env })
}
