// Goal: a CSV file is read as it was meant, or refused by file, line and column, whatever is in it. Method: files of every kind, without a database.

import assert from 'node:assert/strict'
import { createWriteStream, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openCsvSource } from './csv-source.ts'
import type { PastRecord } from './past-source.ts'
import { testFolder } from './test-backfill.ts'
import { TimesOfZone } from './times-of-zone.ts'

const folder = testFolder({ after })
const file = path.join(folder, 'a.csv')

type Options = { columns?: Record<string, string>; units?: Record<string, string>; timeZone?: string; hasDecimalComma?: boolean }

async function read(content: string | Buffer | undefined, { columns = {}, units = {}, ...rest }: Options = {}) {
  if (content !== undefined) writeFileSync(file, content)
  const source = await openCsvSource(file, { columns: new Map(Object.entries(columns)), units: new Map(Object.entries(units)), ...rest })
  const records: PastRecord[] = []
  for await (const part of source.read()) records.push(...part.records)
  return { records, notes: source.notes }
}

const record = (found: PastRecord | undefined) => (found !== undefined && 'record' in found ? found.record : found)
const problem = (message: RegExp) => ({ name: 'BackfillProblem', message })
const AT = '2026-10-05T08:00:00Z'

test('the same rows come of commas, semicolons, tabs, CRLF, a byte order mark, quotes, blank lines and gzip', async () => {
  const plain = `device_id,timestamp,speed,ignition,event\n1,${AT},50.5,true,"a, ""b"""\n`
  const expected = [{ place: 'line 2', record: { device_id: '1', timestamp: AT, speed: 50.5, ignition: true, event: 'a, "b"' } }]
  const forms = [plain, `\uFEFF${plain.replaceAll('\n', '\r\n')}`, gzipSync(plain), plain.trimEnd()]
  for (const form of forms) assert.deepEqual((await read(form)).records, expected)
  for (const separator of [';', '\t']) {
    const other = `device_id,timestamp,speed,ignition\n 1 ,${AT}, 50.5,1\n`.replaceAll(',', separator)
    for (const form of [other, gzipSync(other)]) {
      assert.deepEqual(record((await read(form)).records[0]), { device_id: '1', timestamp: AT, speed: 50.5, ignition: true })
    }
  }
  const { records } = await read(`\uFEFFsep=;\r\ndevice_id;timestamp;event\r\n1;${AT};a,b,c,d\r\n`)
  assert.deepEqual(records, [{ place: 'line 3', record: { device_id: '1', timestamp: AT, event: 'a,b,c,d' } }])
  const ofMac = await read(`sep=;\rdevice_id;timestamp;event\r1;${AT};a\r"2";${AT};"b\r"\r`)
  assert.deepEqual(ofMac.records, [
    { place: 'line 3', record: { device_id: '1', timestamp: AT, event: 'a' } },
    { place: 'line 5', record: { device_id: '2', timestamp: AT, event: 'b\r' } },
  ])
  const blank = await read(`\ndevice_id,timestamp\n\n1,"${AT}"\n\n"2\n3",${AT}\n`)
  assert.deepEqual(
    blank.records.map(({ place }) => place),
    ['line 4', 'line 7'],
  )
  const belowTable = await read(`;;\r\ndevice_id;timestamp;speed\r\n1;${AT};5\r\n;;\r\n ; ;\r\n"";"";\r\n`)
  assert.deepEqual(belowTable.records, [{ place: 'line 3', record: { device_id: '1', timestamp: AT, speed: 5 } }])
})

test('columns are found by name, by option, in other units; what is no field is left out and named', async () => {
  const content = `IMEI,Time,Speed_mph,Odo,Oil,Temp,Fuell_level,codes,mil_lamp,location\n1,${AT},31,1500,200,212,9,P0301 P0420,1,Berlin\n`
  const options = {
    columns: {
      device_id: 'IMEI',
      timestamp: 'Time',
      speed: 'Speed_mph',
      odometer: 'Odo',
      oil_pressure: 'Oil',
      coolant_temp: 'Temp',
      dtc_codes: 'codes',
    },
    units: { speed: 'mph', odometer: 'm', oil_pressure: 'kPa', coolant_temp: 'F' },
  }
  const { records, notes } = await read(content, options)
  assert.deepEqual(record(records[0]), {
    ...{ device_id: '1', timestamp: AT, speed: 49.889664, odometer: 1.5, oil_pressure: 29.0075488, coolant_temp: 100 },
    ...{ dtc_codes: ['P0301', 'P0420'], mil_lamp: 'LAMP_ON' },
  })
  assert.deepEqual(notes, ['columns that are no field: "Fuell_level" (fuel_level?), "location"'])
})

test('a header that is none, or does not fit, is refused with what would be right', async () => {
  const wrong: [content: string, options: Options, message: RegExp][] = [
    ['', {}, /is empty/],
    ['\n\n', {}, /is empty/],
    [`1,${AT}\n`, {}, /no column is the timestamp/],
    ['1,2\n3,4\n', {}, /first line is no header/],
    ['device_id,speed\n', {}, /no column is the timestamp. Name it timestamp, or give --column timestamp=NAME/],
    ['timestamp,speed\n', {}, /names the device or the vehicle/],
    ['device_id,timestamp,speed,speed\n', {}, /columns 3 and 4 are both "speed"/],
    ['device_id,timestamp,speed,SPEED\n', {}, /columns 3 and 4 are both "speed"/],
    ['device_id,timestamp,v,v\n', { columns: { speed: 'v' } }, /columns 3 and 4 are both called "v"/],
    ['device_id,timestamp,v\n', { columns: { sped: 'v' } }, /no field "sped"; did you mean speed\?/],
    ['device_id,timestamp,v\n', { columns: { speed: 'w' } }, /no column "w" \(--column speed=…\); there are "device_id", "timestamp", "v"/],
    ['device_id,timestamp,v\n', { columns: { speed: 'v', rpm: 'v' } }, /"v" is given for speed and for rpm/],
    ['device_id,timestamp,speed\n', { units: { speed: 'furlong' } }, /not read in "furlong". One of: km\/h, mph, kn, m\/s/],
    ['device_id,timestamp,rpm\n', { units: { rpm: 'Hz' } }, /It has no other unit/],
    ['device_id,timestamp\n', { units: { speed: 'mph' } }, /no column is speed/],
    ['device_id,timestamp,where\n', { columns: { location: 'where' } }, /cannot be location/],
    [`device_id,timestamp${',x'.repeat(300)}\n`, {}, /it has 302 columns, and at most 256/],
  ]
  for (const [content, options, message] of wrong) await assert.rejects(read(content, options), problem(message), content)
})

test('a cell that is no value is refused alone, with its column; the text is shown without what would steer a terminal', async () => {
  const cells = ['NaN', '1e999', '0x10', '1,5', '=1+1', '--', 'Infinity']
  const { records } = await read(
    `device_id;timestamp;speed\n${cells.map((cell) => `1;${AT};${cell}`).join('\n')}\n1;${AT};-2e1\n1;${AT}\n1;${AT};\u001b[31mred\n`,
  )
  assert.deepEqual(
    records.slice(0, 4).map((each) => 'refusal' in each && each.refusal.text),
    [
      'column "speed": "NaN" is no number',
      'column "speed": "1e999" is no number',
      'column "speed": "0x10" is no number',
      'column "speed": "1,5" is no number; write it with a decimal point, or give --decimal-comma',
    ],
  )
  assert.ok(records.slice(4, 7).every((each) => 'refusal' in each))
  assert.deepEqual(record(records[7]), { device_id: '1', timestamp: AT, speed: -20 })
  assert.deepEqual(records[8], { place: 'line 10', refusal: { kind: '2 cells', text: 'there are 2 cells, and the header has 3' } })
  assert.deepEqual(records[9], {
    place: 'line 11',
    refusal: { kind: 'speed is no number', text: 'column "speed": " [31mred" is no number' },
  })
})

test('local times and decimal commas are read where an option names them, and refused by what would help where none does', async () => {
  const rows = ['2026-10-25 01:30', '25.10.2026 3:30:00,5', '5.7.2026 08:00', AT, '2026-02-30 08:00:00', '10/05/2026 08:00']
  const content = `device_id;timestamp;speed;odometer\n${rows.map((time) => `1;${time};50,5;-1`).join('\n')}\n1;${AT};1.5;2\n`
  const { records } = await read(content, { timeZone: 'Europe/Berlin', hasDecimalComma: true, units: { odometer: 'm' } })
  const times = ['2026-10-24T23:30:00Z', '2026-10-25T02:30:00.5Z', '2026-07-05T06:00:00Z', AT, '2026-02-30T08:00:00Z', '10/05/2026 08:00']
  assert.deepEqual(
    records.slice(0, -1).map(record),
    times.map((timestamp) => ({ device_id: '1', timestamp, speed: 50.5, odometer: -0.001 })),
  )
  const refusals = async (options: Options) =>
    (await read(content, options)).records.map((each) => ('refusal' in each ? each.refusal.text : ''))
  assert.equal(
    (await refusals({ timeZone: 'UTC', hasDecimalComma: true })).at(-1),
    'column "speed": "1.5" has a decimal point, and --decimal-comma is given',
  )
  const [local] = await refusals({ hasDecimalComma: true })
  assert.equal(
    local,
    'column "timestamp": "2026-10-25 01:30" has no offset from UTC; name its zone with --time-zone, such as Europe/Berlin',
  )
  await assert.rejects(read(content, { timeZone: 'Berlin' }), problem(/"Berlin" is no time zone/))
})

test('a file that is no CSV in UTF-8 is refused: other encodings, NUL, quotes that do not fit, a cut gzip, a folder, nothing', async () => {
  const header = 'device_id,timestamp,event\n'
  const wrong: [content: string | Buffer, message: RegExp][] = [
    [Buffer.from(`${header}1,${AT},x\n`, 'utf16le'), /no text in UTF-8/],
    [Buffer.from(`\uFEFF${header}1,${AT},x\n`, 'utf16le'), /no text in UTF-8/],
    [Buffer.from(`${header}1,${AT},M\u00fcller\n`, 'latin1'), /no text in UTF-8.*Save it as "CSV UTF-8"/],
    [`${header}1,${AT},a\0b\n`, /no text in UTF-8/],
    [`${header}1,${AT},"never closed\n2,3,4\n`, /a quote is opened and never closed, after line 1/],
    [`${header}1,${AT},"a"b\n`, /after line 1 a quote stands where none may be/],
    [gzipSync(header + `1,${AT},x\n`.repeat(1_000)).subarray(0, 60), /gzip file that is cut or damaged/],
  ]
  for (const [content, message] of wrong) await assert.rejects(read(content), problem(message), String(message))
  const open = (name: string) => openCsvSource(name, { columns: new Map(), units: new Map() })
  await assert.rejects(open(folder), problem(/is no file/))
  await assert.rejects(open(path.join(folder, 'absent.csv')), problem(/cannot be read \(ENOENT\)/))
})

test('a line of 100 MB is refused after its first kilobytes, in memory that does not grow with it', async () => {
  async function* huge() {
    yield `device_id,timestamp,event\n1,${AT},"`
    for (let nth = 0; nth < 100; nth++) yield 'x'.repeat(1_000_000)
  }
  await pipeline(Readable.from(huge()), createWriteStream(file))
  const before = process.memoryUsage().rss
  await assert.rejects(read(undefined), problem(/after line 1 is a row of more than 65536 characters/))
  assert.ok(process.memoryUsage().rss - before < 50_000_000)
})

test('times of a database are read by the zone of its server, over changes of clocks, and with the offset that they have', () => {
  const berlin = new TimesOfZone('Europe/Berlin')
  assert.equal(berlin.toUtc('2026-01-05 08:00:00.123456'), '2026-01-05T07:00:00.123456Z')
  assert.equal(berlin.toUtc('2026-07-05 08:00:00'), '2026-07-05T06:00:00Z')
  assert.equal(berlin.toUtc('2026-03-29 03:30:00'), '2026-03-29T01:30:00Z')
  assert.equal(berlin.toUtc('2026-03-29 01:30:00'), '2026-03-29T00:30:00Z')
  // Where clocks go back the later of the two, where they go forward by the offset of before: as PostgreSQL.
  for (const [zone, local, utc] of [
    ['Europe/Berlin', '2026-10-25 01:59:59', '2026-10-24T23:59:59Z'],
    ['Europe/Berlin', '2026-10-25 02:30:00', '2026-10-25T01:30:00Z'],
    ['Europe/Berlin', '2026-03-29 02:30:00', '2026-03-29T01:30:00Z'],
    ['America/New_York', '2026-11-01 00:59:59', '2026-11-01T04:59:59Z'],
    ['America/New_York', '2026-11-01 01:30:00', '2026-11-01T06:30:00Z'],
    ['America/New_York', '2026-11-01 02:00:00', '2026-11-01T07:00:00Z'],
    ['America/New_York', '2026-03-08 02:30:00', '2026-03-08T07:30:00Z'],
    ['Australia/Lord_Howe', '2026-04-05 01:45:00', '2026-04-04T15:15:00Z'],
    ['Asia/Kathmandu', '2026-04-05 01:45:00', '2026-04-04T20:00:00Z'],
    ['Pacific/Apia', '2011-12-31 00:30:00', '2011-12-30T10:30:00Z'],
  ] as const) {
    assert.equal(new TimesOfZone(zone).toUtc(local), utc, `${zone} ${local}`)
  }
  assert.equal(berlin.toUtc('2026-07-05 08:00:00+02'), '2026-07-05T08:00:00+02:00')
  assert.equal(new TimesOfZone('UTC').toUtc('2026-07-05T08:00:00'), '2026-07-05T08:00:00Z')
  assert.equal(berlin.toUtc('yesterday'), 'yesterday')
  for (const none of ['2026-02-30 08:00:00', '2026-02-28 24:00:00']) assert.equal(berlin.toUtc(none), `${none.replace(' ', 'T')}Z`)
})
