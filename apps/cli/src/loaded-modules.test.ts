// Goal: a command is there at once, because it loads what it uses. Method: the modules that a process loads to show its help.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const BIN = resolve(import.meta.dirname, '../bin/roadworthy.js')
const REPORT_MODULES = `
  import { registerHooks } from 'node:module'
  registerHooks({ load: (url, context, next) => { console.error(url); return next(url, context) } })`
/** Each of them takes longer to load than a short command takes. */
const LARGE = /node_modules\/(fastify|ajv|mqtt|@duckdb|@platformatic)\//

test('commands that neither serve nor speak MQTT load no web server and no client of MQTT', async () => {
  for (const command of ['sims', 'replay', 'backup', 'export', 'upgrade']) {
    const args = ['--import', `data:text/javascript,${encodeURIComponent(REPORT_MODULES)}`, BIN, command, '--help']
    const { stderr } = await promisify(execFile)(process.execPath, args)
    const loaded = stderr.split('\n').filter((line) => line.startsWith('file:'))
    assert.ok(loaded.length > 20, stderr)
    assert.deepEqual(loaded.filter((url) => LARGE.test(url)).slice(0, 3), [], command)
  }
})
