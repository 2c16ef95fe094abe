// Histogram gradient boosting (Friedman 2001; Ke et al. 2017, LightGBM): each tree is fitted to the slope of the loss at the prediction of the trees
// before it. Pure: the same table, targets, options and seed give the same forest, byte for byte.
import { type Collection, collectTree, createFlatNodes, firstNodes } from './collect-trees.ts'
import { type BinnedTable, binFeatures, MAX_BINS } from './feature-bins.ts'
import type { FeatureTable, Forest } from './forest.ts'
import { createTreeGrower, growTree } from './grow-tree.ts'
import { baseScore, fillDerivatives, type GbdtLoss, isHessianTheWeight } from './losses.ts'
import { createRandom, sampleInOrder } from './random.ts'

export type GbdtOptions = {
  readonly loss: GbdtLoss
  readonly trees: number
  /** Most leaves a tree has. */
  readonly leaves: number
  readonly learningRate: number
  /** Share of the rows each tree sees, and of the columns. */
  readonly rowSample: number
  readonly columnSample: number
  /** For a tail quantile 0.05 or 0.95 some 200: a leaf steps to the quantile of its own rows. */
  readonly minLeafRows: number
  /** L2 regularisation of leaf values; with the quantile loss it acts on the choice of cuts only. */
  readonly lambda: number
  /** Most bins per column, 2 to 255. */
  readonly bins: number
  /** Per column: 1 where a larger value may never lower the score, -1 where it may never raise it. Missing values have no order. */
  readonly monotone?: readonly (-1 | 0 | 1)[]
  /** Per row, 0 or more. A row of weight 2 counts as two rows, but as one for `minLeafRows`. */
  readonly weights?: Float32Array
  readonly seed: number
  readonly onTree?: (done: number, total: number) => void
}

/** The histograms of all leaves of a tree are in memory at once: 0.6 MB per leaf for a hundred columns of 255 bins. */
const MAX_LEAVES = 256
const MAX_TREES = 100_000
/** What Int16 can number. */
const MAX_COLUMNS = 32_767

/** `targets` are numbers for `squared` and `quantile`, and 0 to 1 for `logistic`. */
export function trainForest(table: FeatureTable, targets: Float64Array, options: GbdtOptions): Forest {
  requireOptions(options, table.columns.length)
  requireTable(table)
  requireTargets(table.rowCount, targets, options)
  const { loss, weights, trees } = options
  const random = createRandom(options.seed)
  const base = baseScore(loss, targets, weights)
  const collection = startCollection(table, targets, options, base)
  const { grower, scores } = collection
  const rows = Int32Array.from(scores.keys()).filter((row) => weights === undefined || (weights[row] as number) > 0)
  const columns = Int32Array.from(table.columns.keys()).filter((column) => isInformative(grower.table, column))
  const rowCount = sampleSize(rows.length, options.rowSample)
  const treeColumns = new Int32Array(sampleSize(columns.length, options.columnSample))
  for (let tree = 1; tree <= trees; tree++) {
    fillDerivatives(loss, scores, targets, weights, grower.derivatives)
    sampleInOrder(rows, rowCount, random, grower.rows)
    sampleInOrder(columns, treeColumns.length, random, treeColumns)
    collectTree(collection, growTree(grower, rowCount, [...treeColumns]), rowCount)
    options.onTree?.(tree, trees)
  }
  return { featureNames: [...table.names], loss: loss.kind, base, ...firstNodes(collection.nodes, collection.nodeCount) }
}

function startCollection(data: FeatureTable, targets: Float64Array, options: GbdtOptions, base: number): Collection {
  const { loss, weights, lambda, minLeafRows, leaves, monotone, trees, learningRate } = options
  const { rowCount } = data
  const derivatives = { gradients: new Float64Array(rowCount), hessians: new Float64Array(rowCount) }
  const isHessianOne = weights === undefined && isHessianTheWeight(loss)
  const limits = { lambda, minLeafRows, leaves, monotone: monotone ?? [], isHessianOne }
  return {
    data,
    targets,
    weights,
    loss,
    learningRate,
    grower: createTreeGrower(binFeatures(data, options.bins), derivatives, limits),
    scores: new Float64Array(rowCount).fill(base),
    isSampled: new Uint8Array(rowCount),
    nodes: createFlatNodes(trees, trees * (2 * leaves - 1)),
    treeCount: 0,
    nodeCount: 0,
  }
}

/** A column with one value, or none, can part no rows. */
function isInformative({ edges, hasMissing }: BinnedTable, column: number): boolean {
  return (edges[column]?.length ?? 0) > 1 || hasMissing[column] === 1
}

function sampleSize(count: number, share: number): number {
  return Math.min(count, Math.max(1, Math.round(count * share)))
}

function requireOptions(options: GbdtOptions, columnCount: number): void {
  const { loss, trees, leaves, learningRate, rowSample, columnSample, minLeafRows, lambda, bins, monotone } = options
  requireWhole('trees', trees, 0, MAX_TREES)
  requireWhole('leaves', leaves, 1, MAX_LEAVES)
  requireWhole('bins', bins, 2, MAX_BINS)
  requireWhole('minLeafRows', minLeafRows, 1, Number.MAX_SAFE_INTEGER)
  requirePart('learningRate', learningRate, learningRate > 0 && learningRate <= 1)
  requirePart('rowSample', rowSample, rowSample > 0 && rowSample <= 1)
  requirePart('columnSample', columnSample, columnSample > 0 && columnSample <= 1)
  if (!(lambda >= 0 && lambda < Number.POSITIVE_INFINITY)) throw new RangeError(`lambda is 0 or more, not ${lambda}`)
  if (loss.kind === 'quantile') requirePart('alpha', loss.alpha, loss.alpha > 0 && loss.alpha < 1)
  if (monotone !== undefined && monotone.length !== columnCount) {
    throw new RangeError(`monotone has ${monotone.length} entries for ${columnCount} columns`)
  }
}

function requireWhole(name: string, value: number, low: number, high: number): void {
  if (Number.isInteger(value) && value >= low && value <= high) return
  throw new RangeError(`${name} is a whole number from ${low} to ${high}, not ${value}`)
}

function requirePart(name: string, value: number, isOk: boolean): void {
  if (!isOk) throw new RangeError(`${name} lies between 0 and 1, not at ${value}`)
}

function requireTable({ names, columns, rowCount }: FeatureTable): void {
  if (rowCount < 1) throw new RangeError('there are no rows to learn from')
  if (columns.length < 1 || columns.length > MAX_COLUMNS)
    throw new RangeError(`1 to ${MAX_COLUMNS} columns are wanted, not ${columns.length}`)
  if (names.length !== columns.length) throw new RangeError(`${columns.length} columns have ${names.length} names`)
  if (new Set(names).size !== names.length) throw new RangeError('two columns have the same name')
  const short = columns.findIndex((column) => column.length < rowCount)
  if (short !== -1) throw new RangeError(`"${names[short]}" has ${columns[short]?.length} values for ${rowCount} rows`)
}

function requireTargets(rowCount: number, targets: Float64Array, { loss, weights }: GbdtOptions): void {
  if (targets.length !== rowCount) throw new RangeError(`there are ${targets.length} targets for ${rowCount} rows`)
  const isTarget = loss.kind === 'logistic' ? (target: number) => target >= 0 && target <= 1 : Number.isFinite
  const wrong = targets.findIndex((target) => !isTarget(target))
  const wanted = loss.kind === 'logistic' ? 'between 0 and 1' : 'a finite number'
  if (wrong !== -1) throw new RangeError(`the target of row ${wrong + 1} is not ${wanted} but ${targets[wrong]}`)
  if (weights === undefined) return
  if (weights.length !== rowCount) throw new RangeError(`there are ${weights.length} weights for ${rowCount} rows`)
  const negative = weights.findIndex((weight) => !(weight >= 0 && weight < Number.POSITIVE_INFINITY))
  if (negative !== -1) throw new RangeError(`the weight of row ${negative + 1} is ${weights[negative]}`)
  if (weights.every((weight) => weight === 0)) throw new RangeError('every row weighs nothing')
}
