// Boosted trees as flat typed arrays: their scoring, and their form in a file. Training is in gbdt.ts.

/** Rows by columns: a column per feature, NaN where a value is missing. */
export type FeatureTable = {
  readonly names: readonly string[]
  readonly columns: readonly Float32Array[]
  readonly rowCount: number
}

/**
 * All trees in one set of arrays, a node per index. The score of a row is `base` plus the value of the leaf it reaches in every tree: the
 * target itself for `squared` and `quantile`, the log-odds for `logistic`.
 */
export type Forest = {
  readonly featureNames: readonly string[]
  readonly loss: ForestLoss
  readonly base: number
  /** The first node of every tree. */
  readonly roots: Int32Array
  /** The column a node looks at; -1 is a leaf. */
  readonly feature: Int16Array
  /** A row goes left when its value, as float32, is less than or equal. */
  readonly threshold: Float32Array
  readonly left: Int32Array
  readonly right: Int32Array
  /** 1 where a missing value goes left. */
  readonly missingLeft: Uint8Array
  readonly value: Float32Array
}

const forestLosses = ['squared', 'quantile', 'logistic'] as const
export type ForestLoss = (typeof forestLosses)[number]

export const LEAF = -1

/** The score of one row, its values in the order of `featureNames`. */
export function scoreRow(forest: Forest, row: ArrayLike<number>): number {
  const { roots, feature, threshold, left, right, missingLeft, value, featureNames } = forest
  if (row.length !== featureNames.length) throw new RangeError(`a row has ${featureNames.length} values here, not ${row.length}`)
  let score = forest.base
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree] as number
    for (let column = feature[node] as number; column !== LEAF; column = feature[node] as number) {
      // Training and every other back end see float32; a double just above a threshold must go the same way here.
      const cell = Math.fround(row[column] as number)
      const isLeft = cell <= (threshold[node] as number) || (Number.isNaN(cell) && missingLeft[node] === 1)
      node = (isLeft ? left[node] : right[node]) as number
    }
    score += value[node] as number
  }
  return score
}

/** Rows scored at a time: their scores and cells stay in the cache while every tree passes over them. */
const BLOCK_ROWS = 1024

/** The score of every row; the same numbers as `scoreRow`, bit for bit. */
export function scoreTable(forest: Forest, table: FeatureTable): Float64Array {
  requireSameFeatures(forest, table)
  const { roots, feature, threshold, left, right, missingLeft, value } = forest
  const { columns, rowCount } = table
  const scores = new Float64Array(rowCount).fill(forest.base)
  for (let from = 0; from < rowCount; from += BLOCK_ROWS) {
    const to = Math.min(from + BLOCK_ROWS, rowCount)
    for (let tree = 0; tree < roots.length; tree++) {
      const root = roots[tree] as number
      for (let row = from; row < to; row++) {
        let node = root
        for (let column = feature[node] as number; column !== LEAF; column = feature[node] as number) {
          const cell = (columns[column] as Float32Array)[row] as number
          const isLeft = cell <= (threshold[node] as number) || (Number.isNaN(cell) && missingLeft[node] === 1)
          node = (isLeft ? left[node] : right[node]) as number
        }
        scores[row] = (scores[row] as number) + (value[node] as number)
      }
    }
  }
  return scores
}

/** The probability that a logistic forest's score stands for. */
export function sigmoid(score: number): number {
  return 1 / (1 + Math.exp(-score))
}

function requireSameFeatures({ featureNames }: Forest, { names }: FeatureTable): void {
  const at = featureNames.findIndex((name, index) => names[index] !== name)
  if (at !== -1) throw new RangeError(`column ${at + 1} is "${featureNames[at]}" in the model and "${names[at] ?? 'absent'}" in the table`)
  if (names.length !== featureNames.length) throw new RangeError(`the model has ${featureNames.length} columns, the table ${names.length}`)
}

const FORMAT = 'roadworthy-forest/1'
const MAX_FEATURES = 32_767

/**
 * Nodes are listed in pre-order (a node, all of its left side, all of its right side), which determines which node is whose child: no index
 * can point astray, and the file is a third of what seven arrays would take.
 */
export type ForestJson = {
  readonly format: typeof FORMAT
  readonly features: readonly string[]
  readonly loss: ForestLoss
  readonly base: number
  readonly treeCount: number
  /** Per node in pre-order: the column it looks at, -1 for a leaf. */
  readonly column: readonly number[]
  /** Per node: the threshold, or the value of a leaf. */
  readonly number: readonly number[]
  /** Per node that is no leaf, a character: 1 where a missing value goes left. */
  readonly missingLeft: string
}

export function forestToJson(forest: Forest): ForestJson {
  const [column, number, missingLeft]: [number[], number[], string[]] = [[], [], []]
  for (const root of forest.roots) {
    const pending = [root]
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      const feature = forest.feature[node] as number
      const isLeaf = feature === LEAF
      column.push(feature)
      number.push(shortestFloat32((isLeaf ? forest.value[node] : forest.threshold[node]) as number))
      if (isLeaf) continue
      missingLeft.push(String(forest.missingLeft[node]))
      pending.push(forest.right[node] as number, forest.left[node] as number)
    }
  }
  const { featureNames: features, loss, base, roots } = forest
  return { format: FORMAT, features, loss, base, treeCount: roots.length, column, number, missingLeft: missingLeft.join('') }
}

/** The fewest digits that read back as the same float32; nine always do. */
function shortestFloat32(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return Number(value.toPrecision(9))
}

/** Throws with what is wrong when the value is not a whole, well-formed forest. */
export function forestFromJson(json: unknown): Forest {
  const { features, loss, base, treeCount, column, number, missingLeft } = requireShape(json)
  const nodeCount = column.length
  const forest = {
    featureNames: features,
    loss,
    base,
    roots: new Int32Array(treeCount),
    feature: Int16Array.from(column),
    threshold: new Float32Array(nodeCount),
    left: new Int32Array(nodeCount).fill(LEAF),
    right: new Int32Array(nodeCount).fill(LEAF),
    missingLeft: new Uint8Array(nodeCount),
    value: new Float32Array(nodeCount),
  }
  let node = 0
  let splitCount = 0
  for (let tree = 0; tree < treeCount; tree++) {
    forest.roots[tree] = node
    // Nodes whose right side begins where the side being read ends.
    const waiting: number[] = []
    for (let isOpen = true; isOpen; node++) {
      if (node >= nodeCount) throw new RangeError(`the nodes of the forest end within tree ${tree + 1} of ${treeCount}`)
      if (column[node] === LEAF) {
        forest.value[node] = number[node] as number
        const parent = waiting.pop()
        isOpen = parent !== undefined
        if (parent !== undefined) forest.right[parent] = node + 1
      } else {
        forest.threshold[node] = number[node] as number
        forest.left[node] = node + 1
        forest.missingLeft[node] = missingLeft.charAt(splitCount++) === '1' ? 1 : 0
        waiting.push(node)
      }
    }
  }
  if (node !== nodeCount) throw new RangeError(`the forest has ${nodeCount - node} nodes after its last tree`)
  if (splitCount !== missingLeft.length) throw new RangeError('"missingLeft" has not one character per split')
  return forest
}

function requireShape(json: unknown): ForestJson {
  const { format, features, loss, base, treeCount, column, number, missingLeft } = (json ?? {}) as Record<keyof ForestJson, unknown>
  const refuse = (what: string): never => {
    throw new TypeError(`not a forest: ${what}`)
  }
  if (format !== FORMAT) refuse(`"format" is not "${FORMAT}"`)
  if (!isListOf(features, (name) => typeof name === 'string') || features.length > MAX_FEATURES)
    return refuse('"features" is no list of names')
  if (!forestLosses.includes(loss as ForestLoss)) refuse(`"loss" is none of ${forestLosses.join(', ')}`)
  if (!Number.isFinite(base)) refuse('"base" is no number')
  if (!Number.isSafeInteger(treeCount) || (treeCount as number) < 0) refuse('"treeCount" is no count')
  const isColumn = (each: unknown) => Number.isInteger(each) && (each as number) >= LEAF && (each as number) < features.length
  if (!isListOf(column, isColumn)) return refuse('"column" names a feature that is not there')
  if ((treeCount as number) > column.length) refuse('there are fewer nodes than trees')
  if (!isListOf(number, (each) => typeof each === 'number' && Number.isFinite(Math.fround(each))))
    return refuse('"number" holds something that is no float32')
  if (number.length !== column.length) refuse('"number" and "column" differ in length')
  if (typeof missingLeft !== 'string' || !/^[01]*$/.test(missingLeft)) refuse('"missingLeft" is no row of 0 and 1')
  return json as ForestJson
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every(isItem)
}
