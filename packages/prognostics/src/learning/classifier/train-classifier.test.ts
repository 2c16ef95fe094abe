// Goal: a classifier ranks, its probabilities are calibrated, and nothing about it was learned from the rows it is measured on.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { LearningRefusal } from '../learning-refusal.ts'
import { createRandom, shuffle } from '../random.ts'
import { bestThreshold, fitPlatt } from './calibration.ts'
import { classifierModelFromFiles, classifierModelToFiles, scoreClassifierRow } from './classifier-model.ts'
import type { Column } from './columns.ts'
import { evaluateClassifier } from './evaluate-classifier.ts'
import { type LabelledRows, type TrainedClassifier, trainClassifier } from './train-classifier.ts'

const KINDS = ['light', 'medium', 'heavy']

/** The probability of 1 is known for every row: it rises with heat, and for the heavy kind. */
function simulateRows(count: number, seed: number): LabelledRows & { readonly columns: Column[]; readonly labels: Float64Array } {
  const random = createRandom(seed)
  const [heat, noise, codes, labels] = [new Float32Array(count), new Float32Array(count), new Int32Array(count), new Float64Array(count)]
  for (let row = 0; row < count; row++) {
    heat[row] = 80 + 30 * random()
    noise[row] = random()
    codes[row] = Math.floor(random() * KINDS.length)
    const odds = ((heat[row] ?? 0) - 95) / 4 + (codes[row] === 2 ? 2 : 0)
    labels[row] = random() < 1 / (1 + Math.exp(-odds)) ? 1 : 0
  }
  const columns: Column[] = [
    { kind: 'number', name: 'row', values: Float32Array.from({ length: count }, (_, row) => row + 1) },
    { kind: 'number', name: 'heat', values: heat },
    { kind: 'number', name: 'noise', values: noise },
    { kind: 'category', name: 'kind', categories: KINDS, codes },
    { kind: 'number', name: 'always', values: new Float32Array(count).fill(3) },
  ]
  return { columns, labels }
}

const rows = simulateRows(1500, 1)
const unseen = simulateRows(3000, 2)
const options = { labelName: 'failed', positive: '1', seed: 1 }
let trained: TrainedClassifier

before(async () => {
  trained = await trainClassifier(rows, options)
})

test('unseen rows are distinguished, with calibrated probabilities', () => {
  const { n, auc, f1, macro_f1, ece, accuracy } = evaluateClassifier(trained.model, unseen.columns, unseen.labels)
  assert.equal(n, 3000)
  // Knowing the true odds ranks with 0.91.
  assert.ok(auc > 0.88, `AUC ${auc}`)
  assert.ok(ece < 0.04, `ECE ${ece}`)
  for (const each of [accuracy, f1, macro_f1]) assert.ok(each > 0.79, `${each}`)
})

test('the figures of cross-validation are those on unseen rows', () => {
  const { auc } = evaluateClassifier(trained.model, unseen.columns, unseen.labels)
  assert.ok(Math.abs(trained.crossValidated.auc - auc) < 0.02, `${trained.crossValidated.auc} and ${auc}`)
})

test('a table that is too large is thinned at even steps, and ranks nearly as well', async () => {
  const { rows: learned, model, droppedColumns } = await trainClassifier(rows, { ...options, maxRows: 700 })
  assert.equal(learned, 700)
  assert.deepEqual(droppedColumns, trained.droppedColumns)
  const { auc } = evaluateClassifier(model, unseen.columns, unseen.labels)
  assert.ok(auc > 0.85, `AUC ${auc}`)
  assert.equal(trained.rows, 1500)
})

test('shuffling the labels ruins the score', () => {
  const labels = unseen.labels.slice()
  shuffle(labels, createRandom(3))
  const { auc } = evaluateClassifier(trained.model, unseen.columns, labels)
  assert.ok(Math.abs(auc - 0.5) < 0.04, `AUC ${auc}`)
})

test('nothing is learned from labels that mean nothing', async () => {
  const labels = rows.labels.slice()
  shuffle(labels, createRandom(3))
  const { auc } = (await trainClassifier({ ...rows, labels }, options)).crossValidated
  assert.ok(Math.abs(auc - 0.5) < 0.06, `AUC ${auc}`)
})

test('rows of one unit are never split: what marks the unit alone is of no use', async () => {
  // Twenty rows of each of 75 units, alike in a mark that carries no information about other units, and in their label.
  const random = createRandom(4)
  const marks = Array.from({ length: 75 }, () => ({ mark: random(), label: random() < 0.5 ? 1 : 0 }))
  const unitOf = (row: number) => Math.floor(row / 20)
  const groups = Int32Array.from({ length: 1500 }, (_, row) => unitOf(row))
  const columns: Column[] = [{ kind: 'number', name: 'mark', values: Float32Array.from(groups, (unit) => marks[unit]?.mark ?? 0) }]
  const labels = Float64Array.from(groups, (unit) => marks[unit]?.label ?? 0)
  const { auc: split } = (await trainClassifier({ columns, labels }, options)).crossValidated
  const { auc: together } = (await trainClassifier({ columns, labels, groups }, options)).crossValidated
  assert.ok(split > 0.9, `${split}`)
  assert.ok(together < 0.65, `${together}`)
})

test('rows that are there again in another fold are counted, and not those of one unit', async () => {
  assert.equal(trained.repeatedRows, 0)
  const twice = (cells: ArrayLike<number>) => Array.from({ length: 200 }, (_, row) => cells[row % 100] as number)
  const columns: Column[] = rows.columns.flatMap((column) =>
    column.kind === 'number' && column.name !== 'row' ? [{ ...column, values: Float32Array.from(twice(column.values)) }] : [],
  )
  const repeated = { columns, labels: Float64Array.from(twice(rows.labels)) }
  const { repeatedRows } = await trainClassifier(repeated, options)
  assert.ok(repeatedRows > 100 && repeatedRows <= 200, `${repeatedRows}`)
  const groups = twice(Array.from({ length: 100 }, (_, row) => row))
  assert.equal((await trainClassifier({ ...repeated, groups }, options)).repeatedRows, 0)
})

test('constants and row numbers are left out and named, categories are kept', () => {
  assert.deepEqual(trained.droppedColumns, ['row', 'always'])
  assert.deepEqual(trained.model.forest.featureNames, ['heat', 'noise', 'kind=heavy', 'kind=light', 'kind=medium'])
})

test('a category that was not learned is none of those that were', () => {
  const columns = unseen.columns.map((column): Column => (column.kind === 'category' ? { ...column, categories: ['a', 'b', 'c'] } : column))
  assert.ok(evaluateClassifier(trained.model, columns, unseen.labels).auc > 0.8)
})

test('the same rows and seed give the same bytes, and the files the same answers', async () => {
  const files = classifierModelToFiles(trained.model)
  assert.deepEqual(classifierModelToFiles((await trainClassifier(rows, options)).model), files)
  const read = classifierModelFromFiles(new Map(Object.entries(files)))
  for (const { features, output } of trained.goldenRows) {
    const row = features.map((value) => value ?? Number.NaN)
    assert.deepEqual(scoreClassifierRow(read, row), output)
  }
})

test('Platt scaling finds the logistic law behind margins', () => {
  const random = createRandom(6)
  const margins = Float64Array.from({ length: 20_000 }, () => 6 * random() - 3)
  const labels = margins.map((margin) => (random() < 1 / (1 + Math.exp(-(0.5 * margin - 1))) ? 1 : 0))
  const { slope, intercept } = fitPlatt(margins, labels)
  assert.ok(Math.abs(slope - 0.5) < 0.05 && Math.abs(intercept + 1) < 0.08, `${slope} ${intercept}`)
})

test('the threshold has the best macro-F1, by hand', () => {
  // Between 0.8 and 0.6 every row is right.
  assert.ok(Math.abs(bestThreshold(Float64Array.of(0.9, 0.8, 0.6, 0.4), Float64Array.of(1, 1, 0, 0)) - 0.7) < 1e-12)
  assert.equal(bestThreshold(Float64Array.of(0.9, 0.9, 0.1), Float64Array.of(1, 1, 0)), 0.5)
})

test('too few rows of a label are refused in words', async () => {
  const labels = rows.labels.map((_, row) => (row < 3 ? 1 : 0))
  const isExpected = (error: unknown) => error instanceof LearningRefusal && /3 rows have "failed" 1 and 1497 have not/.test(error.message)
  await assert.rejects(trainClassifier({ ...rows, labels }, options), isExpected)
})

test('rows of one kind cannot be evaluated on', () => {
  const isExpected = (error: unknown) => error instanceof LearningRefusal && /No row has "failed" 1/.test(error.message)
  assert.throws(() => evaluateClassifier(trained.model, unseen.columns, new Float64Array(3000)), isExpected)
})

test('columns that no manifest could name are refused before a forest is fitted', async () => {
  const [values] = rows.columns.flatMap((column) => (column.kind === 'number' && column.name === 'heat' ? [column.values] : []))
  const named = (name: string): Column => ({ kind: 'number', name, values: values ?? new Float32Array() })
  const neverFits = () => assert.fail('a forest was fitted')
  for (const [columns, problem] of [
    [[named('x'.repeat(257))], /The name of the feature "x{40}…" has more than 256 characters/],
    [[named('')], /A column to learn from has no name/],
    [Array.from({ length: 10_001 }, (_, at) => named(`f${at}`)), /Its columns make 10001 features; a model takes at most 10000/],
  ] as const) {
    await assert.rejects(() => trainClassifier({ ...rows, columns }, options, neverFits), { name: LearningRefusal.name, message: problem })
  }
})
