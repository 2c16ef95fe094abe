import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { grafanaDashboards } from './grafana-dashboards.ts'

const FOLDER = join(import.meta.dirname, '../../deploy/grafana/dashboards')

test('the dashboards in deploy/ are the ones generated', () => {
  const there = readdirSync(FOLDER).map((file) => [file, readFileSync(join(FOLDER, file), 'utf8')])
  assert.deepEqual(Object.fromEntries(there), grafanaDashboards(), 'run `npm run grafana`')
})
