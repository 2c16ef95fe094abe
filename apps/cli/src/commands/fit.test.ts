// Goal: `fit life` reports the figures of the textbook, and where a file is wrong. The fit itself is tested in packages/prognostics.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { checkGoldenRows } from '@roadworthy/model-store/golden-rows'
import { readModel } from '@roadworthy/model-store/read-model'
import { fleetLifeFromFiles, scoreLifeRow } from '@roadworthy/prognostics/learning/life/fleet-life'
import { roadworthy } from '../../../../test/support/command-line.ts'

const dataFolder = process.env['ROADWORTHY_DATA'] ?? resolve(import.meta.dirname, '../../../../../shared/data')
const lifeData = join(dataFolder, 'reliability_life_data')
const skip = existsSync(lifeData) ? false : 'the published life data are not here (set ROADWORTHY_DATA)'

let folder: string

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'roadworthy-fit-'))
})
after(() => rmSync(folder, { recursive: true }))

async function fitLife(content: string | Buffer, ...args: string[]) {
  writeFileSync(join(folder, 'lives.csv'), content)
  return roadworthy(['fit', 'life', '--data', 'lives.csv', ...args], { cwd: folder })
}

/** Meeker and Escobar's maximum likelihood, to the digits of the oracle; 0.1 % is asked for. */
for (const [file, time, expected] of [
  ['shockabsorber', 'miles', { beta: 3.16, eta: 27_719, n: 38, events: 11 }],
  ['bearingcage', 'hours', { beta: 2.035, eta: 11_792, n: 1703, events: 6 }],
] as const) {
  test(`the ${file} data give the published shape and scale`, { skip }, async () => {
    const args = ['fit', 'life', '--data', join(lifeData, `${file}.csv.gz`), '--time', time, '--event', 'event', '--json']
    const { code, stdout, stderr } = await roadworthy(args, { cwd: folder })
    assert.equal(code, 0, stderr)
    const fit = JSON.parse(stdout) as Record<string, number>
    assert.deepEqual(Object.keys(fit), ['beta', 'eta', 'loglik', 'n', 'events', 'beta_se', 'eta_se'])
    for (const key of ['beta', 'eta'] as const) {
      assert.ok(Math.abs((fit[key] ?? 0) / expected[key] - 1) < 1e-3, `${key} ${fit[key]}`)
    }
    assert.deepEqual([fit['n'], fit['events']], [expected.n, expected.events])
  })
}

const LIVES = 'unit,hours,failed\na,900,1\nb,1400,yes\nc,2000,censored\nd,2000,FALSE\n'

test('people get estimates with their errors, and whether the part wears out', async () => {
  const { code, stdout, stderr } = await fitLife(gzipSync(LIVES), '--time', 'hours', '--event', 'failed')
  assert.equal(code, 0, stderr)
  assert.match(stdout, /shape beta +[\d.]+ +[\d.]+ +no clear ageing/)
  assert.match(stdout, /B10 life +804\.5 +hours by which 10 % have failed/)
  assert.match(stdout, /4 lives, 2 of them ended in failure/)
})

test('a row stands for as many lives as its count, given by name or found', async () => {
  const json = async (content: string, ...args: string[]) => {
    const { stdout } = await fitLife(content, '--time', 'hours', '--event', 'failed', '--json', ...args)
    return JSON.parse(stdout) as { n: number; events: number }
  }
  assert.deepEqual(
    await json('hours,failed,Count\n900,1,2\n1400,1,1\n2000,0,5\n'),
    await json('hours,failed,of\n900,1,2\n1400,1,1\n2000,0,5\n', '--count', 'of'),
  )
  assert.equal((await json('hours,failed,count\n900,1,2\n1400,1,1\n2000,0,5\n')).n, 8)
})

const wrong: [what: string, content: string, problem: RegExp][] = [
  ['a life that is no number', 'hours,failed\n1,1\nx,0\n', /lives\.csv line 3, column "hours": "x" is not a number\./],
  ['a life of no length', 'hours,failed\n1,1\n0,0\n', /line 3, column "hours": "0" is no life: it must be above 0\./],
  ['an outcome nobody understands', 'hours,failed\n1,maybe\n', /line 2, column "failed": "maybe" should be whether it failed/],
  ['an outcome that is missing', 'hours,failed\n1,\n', /line 2, column "failed": is empty: it should be whether it failed/],
  ['a negative count', 'hours,failed,count\n1,1,-2\n', /line 2, column "count": "-2" is no count/],
  ['no failure at all', 'hours,failed\n1,0\n2,0\n', /lives\.csv: no life ended in failure/],
  ['failures all at one time', 'hours,failed\n2,1\n2,1\n1,0\n', /lives\.csv: all failures are at one time/],
  ['no rows', 'hours,failed\n', /lives\.csv: there are no lives to fit/],
  ['a column that is not there', 'hours,broken\n1,1\n', /there is no column "failed" \(--event\); it has hours, broken/],
]
for (const [what, content, problem] of wrong) {
  test(`${what} is reported in one line, exit code 2`, async () => {
    const { code, stdout, stderr } = await fitLife(content, '--time', 'hours', '--event', 'failed', '--json')
    assert.match(stderr, problem)
    assert.equal(
      stderr
        .trim()
        .split('\n')
        .filter((line) => line.startsWith('error:')).length,
      1,
    )
    assert.deepEqual([code, stdout], [2, ''])
  })
}

const MODEL = ['--component', 'brakes', '--unit', 'km', '--out', 'models/fleet-brakes/2.0.0']
const BRAKES = 'km,failed\n21000,1\n34000,1\n38000,1\n45000,0\n47000,1\n52000,1\n60000,0\n61000,1\n'

test('with --out the life becomes a model that is whole, and what is reported stays the same', async () => {
  const plain = await fitLife(BRAKES, '--time', 'km', '--event', 'failed', '--json')
  const { code, stdout, stderr } = await fitLife(BRAKES, '--time', 'km', '--event', 'failed', '--json', ...MODEL)
  assert.equal(code, 0, stderr)
  assert.equal(stdout, plain.stdout)
  const { manifest, files } = await readModel(join(folder, 'models/fleet-brakes/2.0.0'))
  const life = fleetLifeFromFiles(files)
  await checkGoldenRows(manifest, (rows) => rows.map((row) => scoreLifeRow(life, row)))
  const { name, version, kind, metrics, training_data: training } = manifest
  assert.deepEqual([name, version, kind, life.component, life.unit], ['fleet-brakes', '2.0.0', 'life', 'brakes', 'km'])
  assert.deepEqual(metrics, JSON.parse(stdout))
  assert.deepEqual([training.sha256, training.rows, training.units], [createHash('sha256').update(BRAKES).digest('hex'), 8, 8])
})

test('a life of another order than is assumed of any vehicle is written, and its unit is doubted', async () => {
  const metres = BRAKES.replace(/^\d+/gm, '$&000')
  const { code, stderr } = await fitLife(metres, '--time', 'km', '--event', 'failed', ...MODEL)
  assert.equal(code, 0, stderr)
  assert.match(
    stderr,
    /^These lives \(brakes\) are 810 times as long as is assumed of any fleet\. Check that "km" counts km \(--unit\)\.$/m,
  )
  assert.doesNotMatch((await fitLife(BRAKES, '--time', 'km', '--event', 'failed', ...MODEL)).stderr, /Check/)
})

test('a model needs its component and unit, and failures enough', async () => {
  const args = ['--time', 'km', '--event', 'failed']
  const parts = await fitLife(BRAKES, ...args, '--component', 'brakes')
  assert.deepEqual(
    [parts.code, /missing '--out <dir>', '--unit <unit>': a model needs all three/.test(parts.stderr)],
    [2, true],
    parts.stderr,
  )
  const wings = await fitLife(BRAKES, ...args, '--component', 'wings', '--unit', 'km', '--out', 'none')
  assert.deepEqual([wings.code, /Allowed choices are engine, cooling/.test(wings.stderr)], [2, true], wings.stderr)
  const few = await fitLife('km,failed\n1,1\n2,1\n3,0\n', ...args, '--component', 'brakes', '--unit', 'km', '--out', 'none')
  assert.deepEqual([few.code, few.stdout], [2, ''])
  assert.match(few.stderr, /lives\.csv: 2 of 3 lives ended in failure; a model that predictions follow takes at least 5/)
  assert.ok(!existsSync(join(folder, 'none')))
})

test('a name or a version that no model can have is refused before anything is read', async () => {
  for (const [flag, value, wanted] of [
    ['--name', 'my brakes', 'A name of at most 64 letters, digits, - and _ is wanted.'],
    ['--model-version', '1 0', 'A version of at most 64 letters, digits, ., -, + and _ is wanted.'],
  ] as const) {
    const { code, stderr } = await roadworthy(['fit', 'life', '--data', 'none.csv', '--time', 'km', '--event', 'failed', flag, value], {
      cwd: folder,
    })
    assert.equal(code, 2)
    assert.match(stderr, new RegExp(`argument '${value}' is invalid. ${wanted.replaceAll(/[.+]/g, '\\$&')}`))
  }
})
