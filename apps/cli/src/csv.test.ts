import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { columnAt, numberOrMissing, openCsv, requireNumber } from './csv.ts'
import { readLabelledTable } from './labelled-table.ts'
import { readRuns } from './runs-table.ts'

let folder: string

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'roadworthy-csv-'))
})
after(() => rmSync(folder, { recursive: true }))

function write(content: string | Buffer): string {
  const path = join(folder, 'rows.csv')
  writeFileSync(path, content)
  return path
}

async function numbers(path: string, name: string): Promise<number[]> {
  const table = await openCsv(path)
  const at = columnAt(table, name, '--time')
  const found: number[] = []
  for await (const row of table.rows) found.push(requireNumber(table, row, at))
  return found
}

const usage = (message: RegExp) => ({ name: 'CommandFailure', exitCode: 2, message })
const unreadable = (message: RegExp) => ({ name: 'RecordingProblem', message })

test('rows are read alike plain or gzip, with comma, semicolon or tab, a byte order mark, blank lines and quotes', async () => {
  const content = '\uFEFF"unit","run, hours"\r\n\r\na,1.5\r\n"b ""2""",-2e3\r\n'
  assert.deepEqual(await numbers(write(content), 'run, hours'), [1.5, -2000])
  assert.deepEqual(await numbers(write(gzipSync(content)), 'run, hours'), [1.5, -2000])
  assert.deepEqual(await numbers(write('unit;HOURS\na;3'), 'hours'), [3])
  assert.deepEqual(await numbers(write('unit\thours\na\t3\n'), 'hours'), [3])
})

test('a cell in quotes may hold line ends, and one whose quote is never closed is refused', async () => {
  assert.deepEqual(await numbers(write('unit,hours\n"a\nb",1\nc,2\n'), 'hours'), [1, 2])
  await assert.rejects(numbers(write('unit,hours\n"a,1\nc,2\n'), 'hours'), /rows\.csv: a quote is opened and never closed/)
})

test('what is wrong is reported by file, line and column', async () => {
  await assert.rejects(
    numbers(write('unit,hours\na,1\n\nb,1h\n'), 'hours'),
    usage(/rows\.csv line 4, column "hours": "1h" is not a number\.$/),
  )
  await assert.rejects(numbers(write('unit,hours\na,\n'), 'hours'), usage(/line 2, column "hours": is empty where a number is wanted/))
  await assert.rejects(numbers(write('unit,hours\na,0x10\n'), 'hours'), usage(/"0x10" is not a number/))
  await assert.rejects(numbers(write('unit,hours\na,1e999\n'), 'hours'), usage(/"1e999" is not a number/))
  await assert.rejects(numbers(write('unit;hours\na;1,5\n'), 'hours'), usage(/"1,5" is not a number; write it with a decimal point/))
  await assert.rejects(numbers(write(Buffer.from('unit,hours\na,1\n', 'utf16le')), 'hours'), unreadable(/no CSV in UTF-8/))
  await assert.rejects(numbers(write('unit,hours\na,1,2\n'), 'hours'), usage(/line 2 has 3 fields where the header has 2 columns/))
  await assert.rejects(numbers(write('unit,hours\na,1\n'), 'age'), usage(/there is no column "age" \(--time\); it has unit, hours\./))
  await assert.rejects(numbers(write('hours,hours\n1,2\n'), 'hours'), usage(/columns 1 and 2 are both called "hours"/))
  await assert.rejects(numbers(write('\n'), 'hours'), usage(/it is empty/))
  await assert.rejects(numbers(write('1,2\n3,4\n'), 'hours'), usage(/line 1 is no header/))
  await assert.rejects(numbers(join(folder, 'absent.csv'), 'hours'), unreadable(/absent\.csv: it cannot be read \(ENOENT\)/))
  await assert.rejects(numbers(folder, 'hours'), unreadable(/it cannot be read \(EISDIR\)/))
})

test('a column of decimal commas is refused, not left out as text', async () => {
  const label = { name: 'failed', flag: '--label' }
  const labelled = async (content: string) =>
    readLabelledTable(await openCsv(write(content)), { label, unit: undefined, features: undefined })
  const refusal = usage(/line 2, column "speed": "1,5" is not a number; write it with a decimal point\.$/)
  await assert.rejects(labelled('speed;failed\n1,5;0\n2,5;1\n'), refusal)
  await assert.rejects(labelled('speed\tfailed\n1,5\t0\n'), refusal)
  const columns = { unit: { name: 'unit', flag: '--unit' }, time: { name: 'time', flag: '--time' }, settings: [], sensors: undefined }
  await assert.rejects(readRuns(await openCsv(write('unit;time;speed\na;1;1,5\na;2;1,6\n')), columns), refusal)
  // Between commas, in quotes, it is somebody's text.
  const { columns: [gears] } = await labelled('gears,failed\n"1,2",0\n"1,3",1\n') // biome-ignore format: one line
  assert.deepEqual(gears, { kind: 'category', name: 'gears', categories: ['1,2', '1,3'], codes: Int32Array.of(0, 1) })
})

test('a gzip file that breaks off is refused, not read short', async () => {
  const whole = gzipSync(`unit,hours\n${'a,1\n'.repeat(10_000)}`)
  await assert.rejects(numbers(write(whole.subarray(0, whole.length - 9)), 'hours'), unreadable(/it cannot be read/))
})

test('a missing value is NaN where one may be missing', async () => {
  const table = await openCsv(write('a,b\n,NaN\nNA,?\nnull,7\n'))
  const found: number[] = []
  for await (const row of table.rows) found.push(numberOrMissing(table, row, 0), numberOrMissing(table, row, 1))
  assert.deepEqual(found, [Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN, 7])
})
