// Grown trees become flat arrays, and the scores of the training rows move by the values of each tree's leaves.
import { type Bounds, outputOf, UNBOUNDED } from './best-split.ts'
import { type FeatureTable, type Forest, LEAF } from './forest.ts'
import { directionOf, splitBounds, type TreeGrower, type TreeNode } from './grow-tree.ts'
import { type GbdtLoss, weightedQuantile } from './losses.ts'

export type Collection = {
  readonly data: FeatureTable
  readonly targets: Float64Array
  readonly weights: Float32Array | undefined
  readonly loss: GbdtLoss
  readonly learningRate: number
  readonly grower: TreeGrower
  /** The scores of the trees so far, per training row. */
  readonly scores: Float64Array
  readonly isSampled: Uint8Array
  /** As long as the forest can become. */
  readonly nodes: FlatNodes
  treeCount: number
  nodeCount: number
}

type FlatNodes = Omit<Forest, 'featureNames' | 'loss' | 'base'>

export function createFlatNodes(treeCount: number, nodeCount: number): FlatNodes {
  return {
    roots: new Int32Array(treeCount),
    feature: new Int16Array(nodeCount),
    threshold: new Float32Array(nodeCount),
    left: new Int32Array(nodeCount),
    right: new Int32Array(nodeCount),
    missingLeft: new Uint8Array(nodeCount),
    value: new Float32Array(nodeCount),
  }
}

export function firstNodes(nodes: FlatNodes, nodeCount: number): FlatNodes {
  return {
    roots: nodes.roots,
    feature: nodes.feature.slice(0, nodeCount),
    threshold: nodes.threshold.slice(0, nodeCount),
    left: nodes.left.slice(0, nodeCount),
    right: nodes.right.slice(0, nodeCount),
    missingLeft: nodes.missingLeft.slice(0, nodeCount),
    value: nodes.value.slice(0, nodeCount),
  }
}

/** `sampledCount` rows grew the tree; the others follow its cuts. */
export function collectTree(collection: Collection, root: TreeNode, sampledCount: number): void {
  const { grower, nodes, scores, isSampled } = collection
  const rootIndex = collection.nodeCount
  nodes.roots[collection.treeCount++] = rootIndex
  isSampled.fill(0)
  for (let index = 0; index < sampledCount; index++) isSampled[grower.rows[index] as number] = 1
  addNode(collection, root, UNBOUNDED)
  if (sampledCount < scores.length) moveUnsampled(collection, rootIndex)
}

/** Writes the node and all below it in pre-order. */
function addNode(collection: Collection, node: TreeNode, bounds: Bounds): void {
  const { nodes, grower } = collection
  const index = collection.nodeCount++
  if (node.cut === undefined) {
    // Adding 0 makes a negative zero a plain one, as it is read back from JSON.
    const value = Math.fround(collection.learningRate * stepOf(collection, node, bounds)) + 0
    nodes.feature[index] = LEAF
    nodes.left[index] = LEAF
    nodes.right[index] = LEAF
    nodes.value[index] = value
    moveRows(collection, node, value)
    return
  }
  const { split, left, right } = node.cut
  const [leftBounds, rightBounds] = boundsOfSides(collection, node.cut, bounds)
  nodes.feature[index] = split.column
  nodes.threshold[index] = grower.table.edges[split.column]?.[split.bin] as number
  nodes.missingLeft[index] = split.isMissingLeft ? 1 : 0
  nodes.left[index] = collection.nodeCount
  addNode(collection, left, leftBounds)
  nodes.right[index] = collection.nodeCount
  addNode(collection, right, rightBounds)
}

/**
 * How far the node's rows should move. The slope of the pinball loss gives where to cut but not how far to step, so there it is the quantile
 * of the residuals (Friedman 2001, on least absolute deviation), within `bounds`.
 */
function stepOf({ loss, targets, scores, weights, grower }: Collection, { from, to, sums, bounds: slopeBounds }: TreeNode, bounds: Bounds) {
  if (loss.kind !== 'quantile') return outputOf(sums, slopeBounds, grower.limits.lambda)
  const residuals = grower.nodeGradients.subarray(0, to - from)
  const rowWeights = grower.nodeHessians.subarray(0, to - from)
  for (let index = from; index < to; index++) {
    const row = grower.rows[index] as number
    residuals[index - from] = (targets[row] as number) - (scores[row] as number)
    rowWeights[index - from] = weights === undefined ? 1 : (weights[row] as number)
  }
  return Math.min(bounds.high, Math.max(bounds.low, weightedQuantile(residuals, rowWeights, loss.alpha)))
}

/** Quantile steps are not the slopes the tree was grown by, so what a monotone cut demands of them is worked out again. */
function boundsOfSides(collection: Collection, { split, left, right }: NonNullable<TreeNode['cut']>, bounds: Bounds): [Bounds, Bounds] {
  const { loss, grower } = collection
  const direction = directionOf(split, grower.table, grower.limits.monotone)
  if (loss.kind !== 'quantile' || direction === 0) return [bounds, bounds]
  return splitBounds(bounds, direction, (stepOf(collection, left, bounds) + stepOf(collection, right, bounds)) / 2)
}

function moveRows({ grower, scores }: Collection, { from, to }: TreeNode, value: number): void {
  for (let index = from; index < to; index++) {
    const row = grower.rows[index] as number
    scores[row] = (scores[row] as number) + value
  }
}

function moveUnsampled({ data: { columns }, nodes, scores, isSampled }: Collection, rootIndex: number): void {
  const { feature, threshold, left, right, missingLeft, value } = nodes
  for (let row = 0; row < scores.length; row++) {
    if (isSampled[row] === 1) continue
    let node = rootIndex
    for (let column = feature[node] as number; column !== LEAF; column = feature[node] as number) {
      const cell = (columns[column] as Float32Array)[row] as number
      const isLeft = cell <= (threshold[node] as number) || (Number.isNaN(cell) && missingLeft[node] === 1)
      node = (isLeft ? left[node] : right[node]) as number
    }
    scores[row] = (scores[row] as number) + (value[node] as number)
  }
}
