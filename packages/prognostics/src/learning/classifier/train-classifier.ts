// Learns to distinguish two kinds of rows. What follows the forest (how many trees, the calibration, the threshold) is learned from margins
// that each come from a forest which has not seen their row, nor any row of its group.
import { type FeatureTable, type Forest, scoreTable, sigmoid } from '../forest.ts'
import { type FitForest, fitHere, rowsAt } from '../forest-job.ts'
import { LearningRefusal } from '../learning-refusal.ts'
import { createRandom, shuffle } from '../random.ts'
import { requireFeatureNames } from '../require-feature-names.ts'
import { thinned } from '../rul/operating-regimes.ts'
import { bestThreshold, calibrated, fitPlatt } from './calibration.ts'
import { type ClassifierModel, scoreClassifierRow } from './classifier-model.ts'
import { type Column, chooseInputs, encode, inputFeatureNames } from './columns.ts'
import { type ClassifierEvaluation, callsOf, measureClassifier } from './evaluate-classifier.ts'

export type LabelledRows = {
  readonly columns: readonly Column[]
  /** 1 for the positive label, 0 for any other. */
  readonly labels: Float64Array
  /** The unit of each row, where several rows are of one: its rows stay together. */
  readonly groups?: ArrayLike<number>
}

export type ClassifierOptions = {
  readonly labelName: string
  readonly positive: string
  readonly seed: number
  /** A larger table is thinned to this many. 200,000 when left out. */
  readonly maxRows?: number
  readonly onProgress?: (share: number) => void
}

export type TrainedClassifier = {
  readonly model: ClassifierModel
  /** As many as were learned from. */
  readonly rows: number
  readonly droppedColumns: readonly string[]
  /** Rows with the same cells and label as one of another fold: their forest has seen them after all. */
  readonly repeatedRows: number
  /** Measured on rows that neither the forest, nor the calibration, nor the threshold in question had seen. How many trees there are had. */
  readonly crossValidated: ClassifierEvaluation
  readonly goldenRows: readonly { readonly features: readonly (number | null)[]; readonly output: readonly number[] }[]
}

const FOREST = { leaves: 15, learningRate: 0.04, rowSample: 0.7, columnSample: 0.8, lambda: 1, bins: 255 }
const MAX_TREES = 400
const TREE_STEP = 20
const MIN_LEAF_ROWS = 8
const FOLDS = 5
/** Of each label; fewer would leave folds without. */
const MIN_ROWS_OF_LABEL = 2 * FOLDS
const GOLDEN_ROWS = 5
/** Bounds time, which is minutes then, and memory. A larger table is thinned at even steps, which leaves the share of positives as it is. */
const MAX_FIT_ROWS = 200_000

/** The same rows and options give the same model, byte for byte, wherever its forests are fitted. */
export async function trainClassifier(
  given: LabelledRows,
  options: ClassifierOptions,
  fitForest: FitForest = fitHere,
): Promise<TrainedClassifier> {
  const { columns, labels, groups } = thinnedRows(given, options.maxRows ?? MAX_FIT_ROWS)
  requireLabels(labels, options)
  // Of all rows: thinned, a row number no longer counts them.
  const { inputs, dropped } = chooseInputs(given.columns)
  if (inputs.length === 0) throw new LearningRefusal('No column is left to learn from: all are constant, row numbers or text.')
  requireFeatureNames(inputFeatureNames(inputs))
  const table = encode(inputs, columns, labels.length)
  const folds = groups === undefined ? stratifiedFolds(labels, options.seed) : groupFolds(groups, options.seed)
  let done = 0
  const grow = (places: Int32Array, trees: number): Promise<Forest> => {
    const targets = Float64Array.from(places, (row) => labels[row] as number)
    const minLeafRows = Math.max(1, Math.min(MIN_LEAF_ROWS, Math.ceil(places.length / 100)))
    const forest = { ...FOREST, minLeafRows, loss: { kind: 'logistic' }, trees, seed: options.seed } as const
    return fitForest({ table, places, targets, options: forest }, () => options.onProgress?.(++done / (MAX_TREES * (FOLDS + 1))))
  }
  const allRows = Int32Array.from(labels.keys())
  const parts = await Promise.all(
    Array.from({ length: FOLDS }, async (_, fold): Promise<Part> => {
      const seenRows = allRows.filter((row) => folds[row] !== fold)
      const unseenRows = allRows.filter((row) => folds[row] === fold)
      return { forest: await grow(seenRows, MAX_TREES), unseenRows, unseen: rowsAt(table, unseenRows) }
    }),
  )
  const { trees, margins } = fewestTrees(parts, labels)
  const platt = fitPlatt(margins, labels)
  const threshold = bestThreshold(
    margins.map((margin) => calibrated(platt, margin)),
    labels,
  )
  const { labelName, positive } = options
  const model = { labelName, positive, inputs, forest: await grow(allRows, trees), platt, threshold }
  options.onProgress?.(1)
  const rows = Array.from({ length: Math.min(GOLDEN_ROWS, labels.length) }, (_, at) => {
    const row = table.columns.map((column) => column[Math.floor((at * labels.length) / GOLDEN_ROWS)] as number)
    return { features: row.map((value) => (Number.isNaN(value) ? null : value)), output: scoreClassifierRow(model, row) }
  })
  return {
    model,
    rows: labels.length,
    droppedColumns: dropped,
    repeatedRows: repeatedAcrossFolds(table, labels, folds),
    crossValidated: crossValidate(margins, labels, folds),
    goldenRows: rows,
  }
}

/** Each fold by a calibration and a threshold of the others: measured on what they were fitted to, they look better than they are. */
function crossValidate(margins: Float64Array, labels: Float64Array, folds: Uint8Array): ClassifierEvaluation {
  const probability = new Float64Array(labels.length)
  const called = new Float64Array(labels.length)
  for (let fold = 0; fold < FOLDS; fold++) {
    const isOther = (_: number, row: number) => folds[row] !== fold
    const [otherMargins, otherLabels] = [margins.filter(isOther), labels.filter(isOther)]
    const platt = fitPlatt(otherMargins, otherLabels)
    const threshold = bestThreshold(
      otherMargins.map((margin) => calibrated(platt, margin)),
      otherLabels,
    )
    const rows = Int32Array.from(labels.keys()).filter((row) => folds[row] === fold)
    const ofFold = Float64Array.from(rows, (row) => calibrated(platt, margins[row] as number))
    const calls = callsOf(ofFold, threshold)
    for (const [at, row] of rows.entries()) {
      probability[row] = ofFold[at] as number
      called[row] = calls[at] as number
    }
  }
  return measureClassifier(probability, called, labels)
}

function thinnedRows(given: LabelledRows, maxRows: number): LabelledRows {
  const { columns, labels, groups } = given
  if (labels.length <= maxRows) return given
  const rows = thinned(Int32Array.from(labels.keys()), maxRows)
  const cellsOf = (cells: ArrayLike<number>) => Array.from(rows, (row) => cells[row] as number)
  return {
    columns: columns.map((column) =>
      column.kind === 'number'
        ? { ...column, values: Float32Array.from(cellsOf(column.values)) }
        : { ...column, codes: Int32Array.from(cellsOf(column.codes)) },
    ),
    labels: Float64Array.from(cellsOf(labels)),
    ...(groups === undefined ? {} : { groups: cellsOf(groups) }),
  }
}

function requireLabels(labels: Float64Array, { labelName, positive }: ClassifierOptions): void {
  const positives = labels.reduce((sum, label) => sum + label, 0)
  const counts = [positives, labels.length - positives]
  if (Math.min(...counts) >= MIN_ROWS_OF_LABEL) return
  throw new LearningRefusal(
    `${counts[0]} rows have "${labelName}" ${positive} and ${counts[1]} have not; at least ${MIN_ROWS_OF_LABEL} of each are needed.`,
  )
}

/** A fold for every row, positives and negatives dealt out evenly. */
function stratifiedFolds(labels: Float64Array, seed: number): Uint8Array {
  const random = createRandom(seed)
  const folds = new Uint8Array(labels.length)
  for (const label of [1, 0]) {
    const rows = Int32Array.from(labels.keys()).filter((row) => labels[row] === label)
    shuffle(rows, random)
    for (const [at, row] of rows.entries()) folds[row] = at % FOLDS
  }
  return folds
}

/** A fold for every row, the same for all rows of a group. */
function groupFolds(groups: ArrayLike<number>, seed: number): Uint8Array {
  const names = Int32Array.from(new Set(Array.from(groups)))
  if (names.length < FOLDS) throw new LearningRefusal(`There are ${names.length} units; at least ${FOLDS} are needed.`)
  shuffle(names, createRandom(seed))
  const foldOf = new Map(Array.from(names, (name, at) => [name, at % FOLDS]))
  return Uint8Array.from(groups, (name) => foldOf.get(name) ?? 0)
}

function repeatedAcrossFolds({ columns }: FeatureTable, labels: Float64Array, folds: Uint8Array): number {
  const SEVERAL = -1
  const contents = Array.from(labels, (label, row) => `${columns.map((column) => column[row]).join()} ${label}`)
  const foldOf = new Map<string, number>()
  for (const [row, content] of contents.entries()) {
    const fold = folds[row] as number
    foldOf.set(content, (foldOf.get(content) ?? fold) === fold ? fold : SEVERAL)
  }
  return contents.filter((content) => foldOf.get(content) === SEVERAL).length
}

/** A forest, and the rows that it has not seen. */
type Part = { readonly forest: Forest; readonly unseenRows: Int32Array; readonly unseen: FeatureTable }

/** As many trees as gave the least log loss on unseen rows. */
function fewestTrees(parts: readonly Part[], labels: Float64Array): { trees: number; margins: Float64Array } {
  const margins = new Float64Array(labels.length)
  for (const { forest, unseenRows } of parts) for (const row of unseenRows) margins[row] = forest.base
  let best = { trees: 0, margins, loss: Number.POSITIVE_INFINITY }
  for (let trees = TREE_STEP; trees <= MAX_TREES; trees += TREE_STEP) {
    for (const { forest, unseenRows, unseen } of parts) {
      // A forest is a sum over trees, so the next trees are added to the scores of those before them.
      const added = scoreTable({ ...forest, base: 0, roots: forest.roots.subarray(trees - TREE_STEP, trees) }, unseen)
      for (const [at, row] of unseenRows.entries()) margins[row] = (margins[row] as number) + (added[at] as number)
    }
    const loss = margins.reduce((sum, margin, row) => sum - Math.log(Math.max(1e-15, sigmoid(labels[row] === 1 ? margin : -margin))), 0)
    if (loss < best.loss) best = { trees, margins: margins.slice(), loss }
  }
  return best
}
