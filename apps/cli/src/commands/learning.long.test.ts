// Goal: a fleet's own files become models that can be measured, and of a bad file it is reported where it is bad. How well models learn is
// tested in packages/prognostics.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { simulateRuns } from '@roadworthy/prognostics/testing/simulated-runs'
import { roadworthy } from '../../../../test/support/command-line.ts'

const EPOCH = { SOURCE_DATE_EPOCH: '1767225600' }
let folder: string

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'roadworthy-learning-'))
  const train = simulateRuns(12, 1)
  const tested = simulateRuns(8, 2, true)
  write('runs.csv.gz', gzipSync(csvOf(train.runs)))
  write('test.csv', csvOf(tested.runs))
  write('truth.csv', ['unit,rul', ...tested.runs.units.map(({ name }, at) => `${name},${tested.lives[at]}`)].join('\n'))
  write('rows.csv', rowsCsv())
})
after(() => rmSync(folder, { recursive: true }))

function write(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content)
  return name
}

function csvOf({ units, times, settings, sensors, settingNames, sensorNames }: ReturnType<typeof simulateRuns>['runs']): string {
  const lines = [['unit', 'cycle', ...settingNames, ...sensorNames, 'site'].join(',')]
  for (const { name, start, end } of units) {
    for (let row = start; row < end; row++) {
      lines.push([name, times[row], ...[...settings, ...sensors].map((column) => column[row]), 'north'].join(','))
    }
  }
  return lines.join('\n')
}

/** Worn where it is hot and heavy; `vin` differs in every row. */
function rowsCsv(): string {
  const rows = Array.from({ length: 200 }, (_, at) => {
    const [heat, kind] = [80 + ((at * 37) % 40), at % 3 === 0 ? 'heavy' : 'light']
    return `V${at},${heat},${kind},${heat + (kind === 'heavy' ? 10 : 0) > 102 ? 'worn' : 'good'}`
  })
  return ['vin,heat,kind,state', ...rows].join('\n')
}

const run = (...args: string[]) => roadworthy(args, { cwd: folder, env: EPOCH })
const trainRul = (out: string, ...args: string[]) =>
  run(
    'train',
    'rul',
    '--data',
    'runs.csv.gz',
    '--unit',
    'unit',
    '--time',
    'cycle',
    '--settings',
    'load',
    '--cap',
    '60',
    '--out',
    out,
    ...args,
  )

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run(...args, '--json')
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Record<string, unknown>
}

function digest(model: string): string {
  const hash = createHash('sha256')
  for (const file of readdirSync(join(folder, model)).sort()) hash.update(file).update(readFileSync(join(folder, model, file)))
  return hash.digest('hex')
}

test('remaining life: from a gzip file of runs to a model, the same bytes twice, and to its measure', async () => {
  const { code, stdout, stderr } = await trainRul('life')
  assert.equal(code, 0, stderr)
  assert.match(stdout, /12 units, \d+ rows, 2 sensors, 3 operating regimes/)
  assert.match(stderr, /Left out, as their first value is no number: site\./)
  assert.match(stderr, /Left out: still, which is constant/)
  await trainRul('life-again')
  assert.equal(digest('life-again'), digest('life'))
  const found = await json('evaluate', 'rul', '--model', 'life', '--data', 'test.csv', '--truth', 'truth.csv')
  assert.deepEqual(Object.keys(found), ['n', 'rmse', 'rmse_clipped', 'mae', 'score', 'coverage90', 'mean_width90'])
  assert.equal(found['n'], 8)
  // Always predicting the mean is off by 22.
  assert.ok(Number(found['rmse_clipped']) < 15, JSON.stringify(found))
  const manifest = JSON.parse(readFileSync(join(folder, 'life', 'manifest.json'), 'utf8')) as {
    calibration: { folds: string[][]; scaling_units: string[] }
    created_at: string
  }
  const { folds, scaling_units: scaling } = manifest.calibration
  assert.deepEqual([folds.length, scaling.length, new Set([...folds.flat(), ...scaling]).size], [5, 2, 12])
  assert.equal(manifest.created_at, '2026-01-01T00:00:00.000Z')
})

test('the text of C-MAPSS is read as it is, truth without names too', async () => {
  const sensors = (cycle: number, life: number) =>
    Array.from({ length: 21 }, (_, at) => (at < 3 ? (at + 1) * (cycle / life) ** 3 + ((cycle * (at + 7)) % 5) / 50 : 1))
  const engine = (unit: number, rows: number, life: number) =>
    Array.from({ length: rows }, (_, at) => [unit, at + 1, 0, 0, 100, ...sensors(at + 1, life)].join(' '))
  write('train.txt', [1, 2, 3, 4].flatMap((unit) => engine(unit, 60 + unit, 60 + unit)).join(' \n'))
  write('test.txt', [...engine(1, 30, 60), ...engine(2, 50, 60)].join('\n'))
  write('lives.txt', '30 \n10 \n')
  await json('train', 'rul', '--data', 'train.txt', '--format', 'cmapss', '--cap', '50', '--out', 'engines')
  const found = await json('evaluate', 'rul', '--model', 'engines', '--data', 'test.txt', '--truth', 'lives.txt', '--format', 'cmapss')
  assert.equal(found['n'], 2)
  write('lives.txt', '30\n')
  const { code, stderr } = await run(
    'evaluate',
    'rul',
    '--model',
    'engines',
    '--data',
    'test.txt',
    '--truth',
    'lives.txt',
    '--format',
    'cmapss',
  )
  assert.deepEqual([code, /1 lives, and the data have 2 units/.test(stderr)], [2, true], stderr)
})

test('a classifier: from labelled rows to a model, and to its measure', async () => {
  const trained = await json('train', 'classifier', '--data', 'rows.csv', '--label', 'state', '--positive', 'worn', '--out', 'wear')
  assert.deepEqual(trained['features'], ['heat', 'kind=heavy', 'kind=light'])
  const found = await json('evaluate', 'classifier', '--model', 'wear', '--data', 'rows.csv')
  assert.deepEqual(Object.keys(found), ['n', 'auc', 'accuracy', 'f1', 'macro_f1', 'ece'])
  assert.ok(Number(found['auc']) > 0.95, JSON.stringify(found))
})

test('a model that is not there is reported with exit code 4, a damaged one with 1', async () => {
  const measure = (model: string) => run('evaluate', 'classifier', '--model', model, '--data', 'rows.csv')
  const absent = await measure('nowhere')
  assert.deepEqual([absent.code, absent.stderr], [4, 'error: nowhere/manifest.json cannot be read (ENOENT).\n'])
  assert.equal((await run('export', 'onnx', '--model', 'nowhere')).stderr, absent.stderr)
  await trainRul('damaged')
  write(join('damaged', 'rul.json'), '{}')
  const damaged = await run('evaluate', 'rul', '--model', 'damaged', '--data', 'test.csv', '--truth', 'truth.csv')
  assert.deepEqual([damaged.code, /damaged\/rul\.json/.test(damaged.stderr)], [1, true], damaged.stderr)
})

test('a model of one kind is not measured as another', async () => {
  await trainRul('kind')
  const { code, stderr } = await run('evaluate', 'classifier', '--model', 'kind', '--data', 'rows.csv')
  assert.deepEqual([code, /a model of kind rul; one of kind classifier is wanted/.test(stderr)], [2, true], stderr)
})

const rul = (data: string, ...args: string[]) => [
  'train',
  'rul',
  '--data',
  data,
  '--unit',
  'unit',
  '--time',
  'cycle',
  '--out',
  'none',
  ...args,
]
const mistakes: [what: string, file: string, args: string[], problem: RegExp][] = [
  [
    'no column for the unit',
    'unit,cycle,s\n',
    ['train', 'rul', '--data', 'bad.csv', '--out', 'none'],
    /missing '--unit <column>', '--time <column>'/,
  ],
  ['a column that is not there', 'engine,cycle,s\n1,1,1\n', rul('bad.csv'), /no column "unit" \(--unit\); it has engine, cycle, s/],
  ['a feature that is not there', 'unit,cycle,s\n1,1,1\n', rul('bad.csv', '--features', 't'), /no column "t" \(--features\)/],
  ['a time that is no number', 'unit,cycle,s\n1,1,1\n1,two,1\n', rul('bad.csv'), /bad\.csv line 3, column "cycle": "two" is not a number/],
  ['a sensor that is no number any more', 'unit,cycle,s\n1,1,1\n1,2,hot\n', rul('bad.csv'), /line 3, column "s": "hot" is not a number/],
  ['two sensors of one name', 'unit,cycle,s,s\n1,1,1,1\n1,2,1,1\n', rul('bad.csv'), /bad\.csv: two columns are called "s"/],
  ['a cap of nothing', '', rul('bad.csv', '--cap', '0'), /'--cap <life>'.*A number above 0, up to/],
  ['a row without a unit', 'unit,cycle,s\n,1,1\n', rul('bad.csv'), /line 2, column "unit": is empty where a unit/],
  ['a row that is too short', 'unit,cycle,s\n1,1\n', rul('bad.csv'), /line 2 has 2 fields where the header has 3/],
  ['a unit with one row', 'unit,cycle,s\n1,1,1\n1,2,1\n2,1,1\n', rul('bad.csv'), /Unit 2 has one row/],
  ['too few units', 'unit,cycle,s\n1,1,1\n1,2,1\n', rul('bad.csv'), /There are 1 units; at least 4/],
  ['a header and nothing else', 'unit,cycle,s\n', rul('bad.csv'), /it has no row/],
  [
    'labels of which none is named as the one',
    'a,y\n1,good\n2,bad\n',
    ['train', 'classifier', '--data', 'bad.csv', '--label', 'y', '--out', 'none'],
    /labels are good, bad; name the .* --positive/,
  ],
  [
    'a label that is learned from',
    'a,y\n1,0\n2,1\n',
    ['train', 'classifier', '--data', 'bad.csv', '--label', 'y', '--features', 'y', '--out', 'none'],
    /the label "y" is among the --features/,
  ],
]
for (const [what, file, args, problem] of mistakes) {
  test(`${what} is reported, with exit code 2`, async () => {
    write('bad.csv', file)
    const { code, stderr } = await run(...args)
    assert.equal(code, 2, stderr)
    assert.match(stderr, problem)
  })
}

test('a truth that does not fit the runs is reported', async () => {
  await trainRul('truth')
  const evaluate = (truth: string) =>
    run('evaluate', 'rul', '--model', 'truth', '--data', 'test.csv', '--truth', write('bad-truth.csv', truth))
  const whole = readFileSync(join(folder, 'truth.csv'), 'utf8')
  for (const [truth, problem] of [
    [whole.split('\n').slice(0, -1).join('\n'), /does not state how long unit unit-8 lived on/],
    [`${whole}\nunit-99,5`, /speaks of unit unit-99, of which the data have no row/],
    [`${whole}\nunit-1,5`, /column "unit": "unit-1" is listed twice/],
    [whole.replace(',rul', ',life'), /no column "rul" \(--truth\)/],
  ] as const) {
    const { code, stderr } = await evaluate(truth)
    assert.equal(code, 2, stderr)
    assert.match(stderr, problem)
  }
})
