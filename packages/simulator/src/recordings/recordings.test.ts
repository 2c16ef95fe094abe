import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { CAROBD_ROWS_PER_S } from './carobd.ts'
import { csvRows, numberedRows } from './csv-rows.ts'
import { measureRecording, openRecording, type RecordingFormat } from './open-recording.ts'
import { type RecordedReading, RecordingProblem } from './recording.ts'
import { transformed } from './transforms.ts'

async function fileOf(t: TestContext, text: string | Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recording-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'trip'), text)
  return join(folder, 'trip')
}

const read = async (t: TestContext, text: string | Buffer, format: RecordingFormat) =>
  Array.fromAsync(openRecording(await fileOf(t, text), format))

const CAROBD_HEADER = 'ENGINE_RUN_TINE (),ENGINE_RPM (),VEHICLE_SPEED (),COOLANT_TEMPERATURE (),FUEL_TANK (),CONTROL_MODULE_VOLTAGE ()'
const carobdRow = (runTimeS: number, rpm = 800) => `${runTimeS}.000000, ${rpm}.000000, 0.000000, 81.000000, 60.392159, 13.812000,`
const carobd = (...runTimes: number[]) => [CAROBD_HEADER, ...runTimes.map((s) => carobdRow(s))].join('\n')

test('carOBD columns become wire keys, whatever their suffix, spelling and trailing comma', async (t) => {
  const [reading] = await read(t, carobd(3), 'carobd')
  assert.deepEqual(reading, {
    offsetS: 0,
    record: { ignition: true, runTime: 3, rpm: 800, speed: 0, coolant_temp: 81, fuel_level: 60.392159, battery_voltage: 13.812 },
  })
})

test('carOBD rows that share a counter value are spread until the next value', async (t) => {
  const readings = await read(t, carobd(10, 10, 10, 10, 12, 12, 13, 13), 'carobd')
  assert.deepEqual(readings.map(({ offsetS }) => offsetS).slice(0, 7), [0, 0.5, 1, 1.5, 2, 2.5, 3])
})

test('a counter at zero, or one that starts over, paces rows at the usual rate', async (t) => {
  const readings = await read(t, carobd(0, 0, 0, 1, 2, 0, 1), 'carobd')
  const steps = readings.slice(1).map(({ offsetS }, i) => offsetS - (readings[i]?.offsetS ?? 0))
  assert.equal(steps.length, 6)
  for (const [i, step] of steps.entries()) assert.ok(Math.abs(step - (i === 3 ? 1 : 1 / CAROBD_ROWS_PER_S)) < 0.01, `step ${i}: ${step}`)
})

test('a stalled logger leaves a gap, not stretched rows', async (t) => {
  const offsets = (await read(t, carobd(10, 10, 25, 25, 26), 'carobd')).map(({ offsetS }) => offsetS)
  assert.deepEqual(offsets.slice(0, 4), [0, 1, 15, 15.5])
})

test('a carOBD row that its logger did not finish is left out', async (t) => {
  assert.equal((await read(t, `${carobd(1, 2)}\n3.000000, 800.0`, 'carobd')).length, 2)
})

test('columns that are missing at the end of every row do no harm when no signal is in them', async (t) => {
  const text = `${CAROBD_HEADER},WARM_UPS_SINCE_CODES_CLEARED (),TIME_RUN_WITH_MIL_ON ()\n1,800,0,81,60.4,13.8,0\n2,800,0,81,60.4,13.\n`
  assert.deepEqual(
    (await read(t, text, 'carobd')).map(({ record }) => record['battery_voltage']),
    [13.8],
  )
})

test('gzip is known by its content', async (t) => {
  assert.equal((await read(t, gzipSync(carobd(1, 2, 3)), 'carobd')).length, 3)
})

const KIT = `Time,Engine Coolant Temperature [Â°C],Engine RPM [RPM],Vehicle Speed Sensor [km/h],Ambient Air Temperature [Â°C]
23:59:59.900,31,,,
00:00:00.000,31,812.0,,
00:00:00.100,32,812.0,0.0,21.0
00:00:00.050,32,815.0,0.0,21.0
`

test('KIT rows lack what no PID has answered yet, pass midnight, and go on when the clock is set back', async (t) => {
  const readings = await read(t, KIT, 'kit')
  assert.deepEqual(
    readings.map(({ offsetS }) => offsetS),
    [0, 0.1, 0.2, 0.29],
  )
  assert.deepEqual(readings[0]?.record, { ignition: true, coolant_temp: 31 })
  assert.deepEqual(readings[2]?.record, { ignition: true, coolant_temp: 32, rpm: 812, speed: 0, ambient_temp: 21 })
})

test('a generic CSV maps aliases, keeps unknown columns, and leaves empty fields out', async (t) => {
  const text =
    'timestamp,ect,batt_voltage,mil_lamp,dtc,ignition,tyre_bar\n2026-01-02T03:04:05Z,90,13.9,LAMP_ON,P0217;P0301,true,2.4\n2026-01-02T04:04:06.500+01:00,91,,,,,\n'
  assert.deepEqual(await read(t, text, 'csv'), [
    {
      offsetS: 0,
      record: {
        coolant_temp: 90,
        battery_voltage: 13.9,
        mil_lamp: 'LAMP_ON',
        dtc_codes: ['P0217', 'P0301'],
        ignition: true,
        tyre_bar: 2.4,
      },
    },
    { offsetS: 1.5, record: { coolant_temp: 91 } },
  ])
})

test('a generic CSV may count seconds, and a time that does not go on is named by its row', async (t) => {
  assert.deepEqual(
    (await read(t, 'time_s,rpm\n100,800\n100.5,900\n', 'csv')).map(({ offsetS }) => offsetS),
    [0, 0.5],
  )
  await assert.rejects(read(t, 'time_s,rpm\n5,800\n5,900\n', 'csv'), /row 3 is not later/)
  await assert.rejects(read(t, 'timestamp,rpm\nyesterday,800\n', 'csv'), /row 2 has no valid time/)
})

test('a generic CSV is separated by commas, semicolons or tabs, and no two of its columns are one value', async (t) => {
  for (const separator of [',', ';', '\t']) {
    const [reading] = await read(t, `\ufefftime_s,rpm,note\r\n0,800,"a,b"\r\n`.replaceAll(/,(?!b)/g, separator), 'csv')
    assert.deepEqual(reading?.record, { rpm: 800, note: 'a,b' })
  }
  await assert.rejects(read(t, 'time_s,rpm,engine_speed\n0,800,900\n', 'csv'), /columns 2 and 3 are both rpm$/)
  await assert.rejects(read(t, Buffer.from('time_s,rpm\n0,800\n', 'utf16le'), 'csv'), /no CSV in UTF-8/)
})

test('a file that cannot be read is named, with the reason', async (t) => {
  const whole = gzipSync('time_s,rpm\n1,800\n')
  for (const format of ['carobd', 'kit', 'csv'] as const) {
    await assert.rejects(read(t, Buffer.from('\x1f\x8b\x00junk', 'latin1'), format), /trip: it cannot be read \(Z_DATA_ERROR\)$/)
    await assert.rejects(Array.fromAsync(openRecording(tmpdir(), format)), /: it cannot be read \(EISDIR\)$/)
  }
  await assert.rejects(read(t, whole.subarray(0, whole.length - 9), 'csv'), /trip: it cannot be read \(Z_BUF_ERROR\)$/)
})

test('a file of another format is a clear problem', async (t) => {
  for (const format of ['carobd', 'kit', 'csv'] as const) await assert.rejects(read(t, 'a,b\n1,2\n', format), RecordingProblem)
})

test('a file without an end of line is refused, not swallowed', async (t) => {
  await assert.rejects(read(t, 'x'.repeat(3_000_000), 'csv'), /line is longer/)
})

test('quoted fields keep their commas, quotes and line ends, and a row has the line that it ends on', async (t) => {
  const path = await fileOf(t, '\ufeffa,b\r\n\r\n1, "b, ""c"""\r\n2,"x\ny"\n3,5" pipe\n4')
  assert.deepEqual(await Array.fromAsync(numberedRows(path)), [
    { line: 1, fields: ['a', 'b'] },
    { line: 3, fields: ['1', 'b, "c"'] },
    { line: 5, fields: ['2', 'x\ny'] },
    { line: 6, fields: ['3', '5" pipe'] },
    { line: 7, fields: ['4'] },
  ])
})

test('a quote that is never closed is refused, as is a row that is longer than any', async (t) => {
  await assert.rejects(Array.fromAsync(csvRows(await fileOf(t, 'a,b\n1,"2\n3,4\n'))), { name: 'RecordingProblem', message: /never closed/ })
  await assert.rejects(Array.fromAsync(csvRows(await fileOf(t, `a,b\n1,"${'x\n'.repeat(600_000)}"\n`))), /line is longer/)
})

test('the file is let go when the reader stops early', async (t) => {
  const path = await fileOf(t, carobd(...Array.from({ length: 20_000 }, (_, i) => i)))
  for await (const reading of openRecording(path, 'carobd')) if (reading.offsetS > 3) break
  await rm(path)
})

const DATA = resolve(process.env['ROADWORTHY_DATA'] ?? resolve(import.meta.dirname, '../../../../../shared/data'))
const absent = (folder: string) =>
  existsSync(join(DATA, folder)) ? false : `no recordings: ${join(DATA, folder)} is absent (set ROADWORTHY_DATA)`

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(join(DATA, folder))).filter((name) => name.endsWith('.csv.gz')).map((name) => join(DATA, folder, name))
}

test('a recording that is measured is read once where it is short, and again where it is long; either way it is whole', async () => {
  for (const [count, readCount] of [
    [3, 1],
    [20_001, 2],
  ] as const) {
    let openedCount = 0
    async function* readings() {
      openedCount++
      for (let nth = 0; nth < count; nth++) yield { offsetS: nth / 2, record: { rpm: nth } }
    }
    const { records, durationS, recording } = await measureRecording(readings)
    const replayed = await Array.fromAsync(recording)
    assert.deepEqual([records, durationS, openedCount], [count, (count - 1) / 2, readCount])
    assert.deepEqual(replayed, await Array.fromAsync(readings()))
  }
})

test('every real carOBD trip keeps its rows, its order and its length', { skip: absent('carobd_etios') }, async () => {
  let rows = 0
  for (const path of await filesIn('carobd_etios')) {
    let last: RecordedReading | undefined
    let first: number | undefined
    for await (const reading of openRecording(path, 'carobd')) {
      if (last) assert.ok(reading.offsetS > last.offsetS, `${path} at ${reading.offsetS}`)
      first ??= Number(reading.record['runTime'])
      last = reading
      rows++
    }
    const counterS = Number(last?.record['runTime']) - (first ?? 0)
    assert.ok(Math.abs((last?.offsetS ?? 0) - counterS) < 15, `${path}: ${last?.offsetS} s for a counter of ${counterS} s`)
  }
  assert.ok(rows > 150_000, `${rows} rows`)
})

test('real KIT trips are read at about 10 Hz with increasing times', { skip: absent('kit_seat_leon') }, async () => {
  for (const path of (await filesIn('kit_seat_leon')).slice(0, 3)) {
    const { records, durationS } = await measureRecording(() => openRecording(path, 'kit'))
    assert.ok(records / durationS > 8 && records / durationS < 16, `${path}: ${records} rows in ${durationS} s`)
    let lastS = -1
    for await (const { offsetS } of transformed(openRecording(path, 'kit'))) {
      assert.ok(offsetS > lastS, `${path} at ${offsetS}`)
      lastS = offsetS
    }
  }
})
