// A real Prometheus (Debian: prometheus) with the configuration of deploy/, for tests and for the pictures of guides.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from './programs.ts'
import { until } from './until.ts'

const ROOT = join(import.meta.dirname, '../..')
export const RULES = join(ROOT, 'deploy/prometheus/alerts.yml')

export const prometheus = findProgram('prometheus')

/** The configuration that is shipped, but for the ports and how often it looks. Returns what ends it. */
export async function startPrometheus({
  metrics,
  engine,
  port,
}: Record<'metrics' | 'engine' | 'port', number>): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-prometheus-'))
  const shipped = readFileSync(join(ROOT, 'deploy/prometheus/prometheus.yml'), 'utf8')
  const own = shipped.replace(':9464', `:${metrics}`).replace(':8090', `:${engine}`).replaceAll('interval: 15s', 'interval: 1s')
  assert.notEqual(own, shipped)
  writeFileSync(join(folder, 'prometheus.yml'), own)
  copyFileSync(RULES, join(folder, 'alerts.yml'))
  const args = ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=127.0.0.1:${port}`]
  const child = spawn(prometheus ?? '', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (chunk) => (output = `${output}${chunk}`.slice(-5_000)))
  const closed = once(child, 'close')
  const stop = async () => {
    child.kill('SIGKILL')
    await closed
    rmSync(folder, { recursive: true, force: true })
  }
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/-/ready`).then(
      ({ ok: isOk }) => isOk,
      () => false,
    )
  try {
    await until('Prometheus is ready', async () => {
      assert.equal(child.exitCode, null, output)
      return await isReady()
    })
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}
