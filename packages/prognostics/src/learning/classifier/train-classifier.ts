// Learns to tell two kinds of rows apart. What follows the forest (how many trees, the calibration, the threshold) is learned from margins
// that each come from a forest which has not seen their row, nor any row of its group.
import { type Forest, scoreTable, sigmoid } from '../forest.ts'
import { trainForest } from '../gbdt.ts'
import { LearningRefusal } from '../learning-refusal.ts'
import { createRandom, shuffle } from '../random.ts'
import { bestThreshold, calibrated, fitPlatt } from './calibration.ts'
import { type ClassifierModel, scoreClassifierRow } from './classifier-model.ts'
import { type Column, chooseInputs, encode } from './columns.ts'
import { type ClassifierEvaluation, measureClassifier } from './evaluate-classifier.ts'

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
  readonly onProgress?: (share: number) => void
}

export type TrainedClassifier = {
  readonly model: ClassifierModel
  readonly droppedColumns: readonly string[]
  /** Measured on rows that the forest in question had not seen; the calibration and the threshold had. */
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

/** The same rows and options give the same model, byte for byte. */
export function trainClassifier({ columns, labels, groups }: LabelledRows, options: ClassifierOptions): TrainedClassifier {
  requireLabels(labels, options)
  const { inputs, dropped } = chooseInputs(columns)
  if (inputs.length === 0) throw new LearningRefusal('No column is left to learn from: all are constant, row numbers or text.')
  const table = encode(inputs, columns, labels.length)
  const folds = groups === undefined ? stratifiedFolds(labels, options.seed) : groupFolds(groups, options.seed)
  let done = 0
  const grow = (rows: Int32Array, trees: number): Forest =>
    trainForest(
      { ...table, columns: table.columns.map((column) => Float32Array.from(rows, (row) => column[row] as number)), rowCount: rows.length },
      Float64Array.from(rows, (row) => labels[row] as number),
      {
        ...FOREST,
        minLeafRows: Math.max(1, Math.min(MIN_LEAF_ROWS, Math.ceil(rows.length / 100))),
        loss: { kind: 'logistic' },
        trees,
        seed: options.seed,
        onTree: () => options.onProgress?.(++done / (MAX_TREES * (FOLDS + 1))),
      },
    )
  const allRows = Int32Array.from(labels.keys())
  const forests = Array.from({ length: FOLDS }, (_, fold) =>
    grow(
      allRows.filter((row) => folds[row] !== fold),
      MAX_TREES,
    ),
  )
  const unseenMargins = (trees: number): Float64Array => {
    const margins = new Float64Array(labels.length)
    for (const [fold, forest] of forests.entries()) {
      const scores = scoreTable(firstTrees(forest, trees), table)
      for (const row of allRows) if (folds[row] === fold) margins[row] = scores[row] as number
    }
    return margins
  }
  const { trees, margins } = fewestTrees(unseenMargins, labels)
  const platt = fitPlatt(margins, labels)
  const unseen = margins.map((margin) => calibrated(platt, margin))
  const threshold = bestThreshold(unseen, labels)
  const { labelName, positive } = options
  const model = { labelName, positive, inputs, forest: grow(allRows, trees), platt, threshold }
  options.onProgress?.(1)
  const rows = Array.from({ length: Math.min(GOLDEN_ROWS, labels.length) }, (_, at) => {
    const row = table.columns.map((column) => column[Math.floor((at * labels.length) / GOLDEN_ROWS)] as number)
    return { features: row.map((value) => (Number.isNaN(value) ? null : value)), output: scoreClassifierRow(model, row) }
  })
  return { model, droppedColumns: dropped, crossValidated: measureClassifier(unseen, threshold, labels), goldenRows: rows }
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

/** As many trees as gave the least log loss on unseen rows. */
function fewestTrees(unseenMargins: (trees: number) => Float64Array, labels: Float64Array): { trees: number; margins: Float64Array } {
  let best: { trees: number; margins: Float64Array; loss: number } = {
    trees: 0,
    margins: new Float64Array(),
    loss: Number.POSITIVE_INFINITY,
  }
  for (let trees = TREE_STEP; trees <= MAX_TREES; trees += TREE_STEP) {
    const margins = unseenMargins(trees)
    const loss = margins.reduce((sum, margin, row) => sum - Math.log(Math.max(1e-15, sigmoid(labels[row] === 1 ? margin : -margin))), 0)
    if (loss < best.loss) best = { trees, margins, loss }
  }
  return best
}

/** A forest is a sum over trees, so its first trees are the forest as it was when they were grown. */
function firstTrees(forest: Forest, trees: number): Forest {
  return { ...forest, roots: forest.roots.subarray(0, trees) }
}
