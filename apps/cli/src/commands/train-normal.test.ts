// Goal: `train normal` makes a model directory that an engine can load, the same bytes for the same seed, and reports what is wrong with files.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readModel } from '@roadworthy/model-store/read-model'
import { roadworthy } from '../../../../test/support/command-line.ts'

const TRIPS = 8
const TRIP_S = 400
let folder: string
let files: string[]

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'roadworthy-normal-'))
  files = Array.from({ length: TRIPS }, (_, trip) => {
    const rows = Array.from({ length: TRIP_S }, (_row, second) => {
      const rpm = 1200 + 400 * Math.sin(second / 20 + trip)
      const coolantC = Math.round(88 - 40 * Math.exp(-second / 150) + Math.sin(second / 7 + trip))
      const volts = (13.8 + 0.1 * Math.sin(second / 11 + trip)).toFixed(2)
      return `${second},${rpm.toFixed(0)},${coolantC},${volts},${(rpm / 30).toFixed(0)}`
    })
    const file = join(folder, `trip${trip}.csv`)
    writeFileSync(file, `time_s,rpm,coolant_temp,battery_voltage,speed\n${rows.join('\n')}\n`)
    return file
  })
})
after(() => rmSync(folder, { recursive: true }))

async function train(data: readonly string[], out: string, ...args: string[]) {
  const options = { cwd: folder, env: { SOURCE_DATE_EPOCH: '1700000000' } }
  return roadworthy(['train', 'normal', '--data', ...data, '--out', out, '--json', ...args], options)
}

test('the same trips and seed give the same bytes, in any order, and the model states what it was trained on', async () => {
  const runs = [await train(files, 'a/1.0.0', '--name', 'a'), await train(files.toReversed(), 'b/1.0.0', '--name', 'a')]
  for (const { code, stderr } of runs) assert.equal(code, 0, stderr)
  for (const file of ['normal.json', 'manifest.json']) {
    assert.deepEqual(readFileSync(join(folder, 'a/1.0.0', file)), readFileSync(join(folder, 'b/1.0.0', file)), file)
  }
  const { manifest } = await readModel(join(folder, 'a/1.0.0'))
  assert.equal(manifest.kind, 'normal')
  assert.deepEqual([manifest.training_data.units, manifest.training_data.rows], [TRIPS, TRIPS * TRIP_S])
  assert.equal(manifest.created_at, '2023-11-14T22:13:20.000Z')
  assert.ok(manifest.golden_rows.length > 0)
  assert.equal(JSON.parse(runs[0]?.stdout ?? '').expected_false_alarms_per_engine_hour, 0.12)
})

test('what cannot be learned from is refused with what is missing', async () => {
  const unreadable = await train([...files, join(folder, 'nowhere.csv')], 'x')
  assert.deepEqual([unreadable.code, /nowhere\.csv cannot be read/.test(unreadable.stderr)], [2, true], unreadable.stderr)
  const tooFew = await train(files.slice(0, 3), 'x')
  assert.deepEqual([tooFew.code, /at least 5 are needed/.test(tooFew.stderr)], [2, true], tooFew.stderr)
  const asKit = await train(files, 'x', '--format', 'kit')
  assert.deepEqual([asKit.code, /trip0\.csv: the first column is not Time/.test(asKit.stderr)], [2, true], asKit.stderr)
})

test('a folder that the model could not be written to is refused before anything is read', async () => {
  for (const out of [folder, files[0] ?? '']) {
    const { code, stderr } = await train([join(folder, 'nowhere.csv')], out)
    assert.deepEqual([code, /holds other files and no model|is a file or lies below one/.test(stderr)], [1, true], stderr)
  }
})
