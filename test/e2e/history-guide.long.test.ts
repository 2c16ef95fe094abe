// Goal: who types what the guide about readings of before shows gets what it shows, and opens the files with the programs that it names. Method: the blocks of
// the guide in their order, in the folder of an instance that has readings of 60 days ago.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { withOwnerSession } from '@roadworthy/platform/cluster/owner-session'
import { findRunningPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import { callPatiently as call } from '../support/running-platform.ts'
import { blocksOf, keyOf, runSteps, stepsOf } from './guide-blocks.ts'
import { type OwnInstance, startOwnInstance } from './own-instance.ts'
import { ROOT } from './running-service.ts'

const GUIDE = 'history.md'
const [DAY_MS, MINUTE_MS] = [86_400_000, 60_000]
/** Of each of the two vehicles, a minute apart. */
const READINGS = 200
/** In the middle of a month, so that all are in one file. */
const firstAt = new Date(Date.now() - 60 * DAY_MS)
firstAt.setUTCDate(15)
const MONTH = firstAt.toISOString().slice(0, 7)

const readers = process.env['ROADWORTHY_PYTHON_READERS'] ?? path.join(homedir(), '.cache/roadworthy/python-readers')
const python = path.join(readers, 'bin/python')
const noPandas = existsSync(python) ? false : `${python} is not here (python3 -m venv, then pip install pandas pyarrow)`

let instance: OwnInstance
let vehicleId: string

before(async () => {
  instance = await startOwnInstance()
  symlinkSync(instance.dataDir, path.join(instance.folder, '.data'))
  const north = { sub_client_id: 'north', name: 'North' }
  const made = await call(instance.baseUrl, 'POST', '/api/external/sub-clients', { key: keyOf(instance), body: north })
  assert.ok(made.status < 300, JSON.stringify(made.body))
  const { api_key: key } = (await instance.json('resellers', 'create', '--slug', 'north-fleet', '--name', 'North Fleet')) as {
    api_key: string
  }
  const rows = ['truck-1', 'truck-2'].flatMap((name) =>
    Array.from({ length: READINGS }, (_, nth) => `${name},${new Date(+firstAt + nth * MINUTE_MS).toISOString()},${80 + (nth % 20)}`),
  )
  const file = path.join(instance.folder, 'readings.csv')
  writeFileSync(file, ['vehicle_id,timestamp,coolant_temp', ...rows].join('\n'))
  await instance.json('import', '--csv', file, '--reseller', 'north-fleet', '--create-devices')
  const { body } = await call(instance.baseUrl, 'GET', '/api/external/vehicles', { key })
  vehicleId = (body as unknown as { vehicles: { vehicle_id: string }[] }).vehicles[0]?.vehicle_id ?? ''
})

after(async () => {
  await instance.stop()
})

const fileOfHistory = (name: string) => path.join(instance.dataDir, name)

test('readings go into files, the files are opened, and a vehicle is taken out of them', async (t) => {
  const steps = stepsOf(GUIDE)
  const erasing = steps.findIndex(({ lines }) => lines.includes('history erase'))
  assert.ok(erasing >= 2 && erasing === steps.length - 1)
  const printed = await runSteps(instance, steps.slice(0, erasing))
  assert.match(printed.join('\n'), new RegExp(`^readings +${2 * READINGS}$`, 'm'))

  const [livePaths = '', ofDuckdb = ''] = blocksOf(GUIDE, 'sql')
  const paths = await ask(livePaths)
  assert.equal(paths.length, 1)
  assert.ok(existsSync(fileOfHistory(path.join('history', String(paths[0]?.['path'])))))
  const { live_files: live } = (await instance.json('history', 'status', '--files')) as { live_files: string[] }
  assert.deepEqual(
    live,
    paths.map(({ path }) => path),
  )
  const found = queryWithDuckdb(ofDuckdb)
  assert.deepEqual(
    found,
    ['truck-1', 'truck-2'].map(() => [MONTH, READINGS, 89.5]),
  )
  await t.test('pandas reads them', { skip: noPandas }, () => {
    const [program = ''] = blocksOf(GUIDE, 'python')
    assert.match(program, /"2026-09"/)
    const described = execFileSync(python, ['-c', program.replace('2026-09', MONTH)], { cwd: instance.dataDir, encoding: 'utf8' })
    assert.match(described, new RegExp(`^${vehicleId} +${READINGS}\\.0 +89\\.5 `, 'm'))
  })

  const setVehicle = { lines: `VEHICLE=${vehicleId}`, shown: undefined }
  const [, erased = ''] = await runSteps(instance, [setVehicle, ...steps.slice(erasing)])
  assert.match(erased, new RegExp(`^0 readings removed from PostgreSQL, and ${READINGS} from 1 files`))
  assert.notDeepEqual(await ask(livePaths), paths)
  const { stdout } = await instance.run('history', 'status')
  assert.match(stdout, new RegExp(`^readings +${READINGS}$`, 'm'))
})

test('the settings that the guide names are settings', () => {
  const known = readFileSync(path.join(ROOT, '.env.example'), 'utf8')
  const named = [
    ...blocksOf(GUIDE, 'ini')
      .join('\n')
      .matchAll(/^([A-Z0-9_]+)=/gm),
  ].map(([, name]) => name)
  assert.equal(named.length, 6)
  for (const name of named) assert.match(known, new RegExp(`^#? ?${name}=`, 'm'))
})

async function ask(statement: string): Promise<Record<string, unknown>[]> {
  const url = findRunningPostgres(instance.dataDir) ?? assert.fail('PostgreSQL runs')
  return await withOwnerSession(url, async (db) => (await db.query<Record<string, unknown>>(statement)).rows)
}

/** In the folder of the instance, as the guide has its paths. Without the ids of vehicles, in the order of the statement. */
function queryWithDuckdb(statement: string): unknown[] {
  const program = `
    import { DuckDBInstance } from '@duckdb/node-api'
    const connection = await (await DuckDBInstance.create()).connect()
    const rows = (await connection.runAndReadAll(${JSON.stringify(statement)})).getRows()
    console.log(JSON.stringify(rows.map(([month, , readings, coolant]) => [String(month), Number(readings), coolant])))`
  // Imports are looked for in the folder that it starts in.
  const cwd = path.join(ROOT, 'services/platform')
  const code = `process.chdir(${JSON.stringify(instance.dataDir)})\n${program}`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd, encoding: 'utf8' })) as unknown[]
}
