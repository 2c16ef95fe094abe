// `npm run schema-fixture`: keeps the schema of this release with data of the demo, for every later release to be upgraded from. It is a backup
// without a key, as `roadworthy backup` makes it. Takes about a minute.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FIXTURE_SECRET_KEY, fixtureFolder } from './schema-fixtures.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const BIN = join(ROOT, 'apps/cli/bin/roadworthy.js')
/** Assumption: by then every vehicle of the demo has been scored, and its SIMs and invoices are there. */
const DEMO_MS = 45_000
const READY_WAIT_MS = 120_000
const FLAGS = [
  '--host',
  '127.0.0.1',
  '--port',
  '0',
  '--engine-port',
  '0',
  '--mqtt-port',
  '0',
  '--metrics-port',
  '0',
  '--log-level',
  'error',
]

const version = process.argv[2]
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('Which release? For example: npm run schema-fixture -- 2.0.0')
  process.exitCode = 2
} else {
  await write(version)
}

async function write(release: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-fixture-'))
  const dataDir = join(folder, 'data')
  const settings = { SECRET_KEY: FIXTURE_SECRET_KEY }
  const service = spawn(process.execPath, [BIN, 'up', '--demo', '--data-dir', dataDir, ...FLAGS], {
    env: settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await readiness(service.stdout)
    await sleep(DEMO_MS)
    const to = fixtureFolder(ROOT, release)
    rmSync(to, { recursive: true, force: true })
    const backup = spawn(process.execPath, [BIN, 'backup', '--to', to, '--no-secret-key', '--no-history', '--data-dir', dataDir], {
      env: settings,
      stdio: 'inherit',
    })
    const [code] = await once(backup, 'exit')
    process.exitCode = code === 0 ? 0 : 1
  } finally {
    service.kill('SIGTERM')
    if (service.exitCode === null) await once(service, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function readiness(output: NodeJS.ReadableStream): Promise<void> {
  const timeout = setTimeout(() => output.emit('error', new Error('the demo was not ready in time')), READY_WAIT_MS)
  for await (const chunk of output) if (/^ready/m.test(String(chunk))) break
  clearTimeout(timeout)
}
