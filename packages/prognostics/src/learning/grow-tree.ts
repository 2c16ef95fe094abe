// One tree, grown leaf by leaf: of all leaves the one is split next whose best cut improves the loss most.
import { BIN_STRIDE, type Bounds, type ColumnBins, findBestSplit, minus, outputOf, type Split, type Sums, UNBOUNDED } from './best-split.ts'
import { type BinnedTable, MAX_BINS } from './feature-bins.ts'
import type { Derivatives } from './losses.ts'

export type TreeNode = {
  /** The node's rows are `rows[from]` to `rows[to - 1]`; those of its left side come first. */
  readonly from: number
  readonly to: number
  readonly sums: Sums
  readonly bounds: Bounds
  /** The cut, and the two sides, unless this is a leaf. */
  cut: { readonly split: Split; readonly left: TreeNode; readonly right: TreeNode } | undefined
}

export type GrowLimits = {
  readonly lambda: number
  readonly minLeafRows: number
  readonly leaves: number
  /** Per column; what is not there is free. */
  readonly monotone: readonly (-1 | 0 | 1)[]
  /** Every row's hessian is 1, and need not be added up. */
  readonly isHessianOne: boolean
}

/** Buffers that all trees of a forest share. A histogram slot is a node's histogram over the columns of the tree. */
export type TreeGrower = {
  readonly table: BinnedTable
  readonly derivatives: Derivatives
  readonly limits: GrowLimits
  /** Rows of the tree, reordered so that every node has its own side by side. */
  readonly rows: Int32Array
  readonly spareRows: Int32Array
  /** Scratch for one node at a time, in the order of its rows. */
  readonly nodeGradients: Float64Array
  readonly nodeHessians: Float64Array
  readonly slots: Float64Array[]
}

export function createTreeGrower(table: BinnedTable, derivatives: Derivatives, limits: GrowLimits): TreeGrower {
  const { rowCount } = table
  return {
    table,
    derivatives,
    limits,
    rows: new Int32Array(rowCount),
    spareRows: new Int32Array(rowCount),
    nodeGradients: new Float64Array(rowCount),
    nodeHessians: new Float64Array(rowCount),
    slots: [],
  }
}

/** A leaf that may yet be split, its histogram kept until it is known whether it will be. */
type OpenLeaf = { readonly node: TreeNode; readonly slot: Float64Array | undefined; readonly split: Split | undefined }

const COLUMNS_AT_ONCE = 4
/** Behind every histogram: the bins of one column, and the one for what is missing. */
const SPARE_SIZE = (MAX_BINS + 1) * BIN_STRIDE

/** A cut must gain this share of what a leaf per row would, or it is rounding. */
const MIN_RELATIVE_GAIN = 1e-12

/** Grows a tree over the first `rowCount` of `grower.rows`, looking at `columns` only. */
export function growTree(grower: TreeGrower, rowCount: number, columns: readonly number[]): TreeNode {
  const { limits } = grower
  const layout = layOut(grower, rowCount, columns)
  const root: TreeNode = { from: 0, to: rowCount, sums: sumRows(grower, rowCount), bounds: UNBOUNDED, cut: undefined }
  const open: OpenLeaf[] = [openLeaf(grower, layout, root, buildHistogram(grower, layout, root))]
  for (let leafCount = 1; leafCount < limits.leaves; leafCount++) {
    const chosen = takeMostPromising(open)
    if (chosen?.split === undefined) break
    const [left, right] = cutNode(grower, chosen.node, chosen.split)
    const isLast = leafCount + 1 === limits.leaves
    if (!isLast) open.push(...openSides(grower, layout, left, right, chosen.slot))
    else giveBack(grower, chosen.slot)
  }
  for (const { slot } of open) giveBack(grower, slot)
  return root
}

type Layout = { readonly columns: readonly ColumnBins[]; readonly size: number; readonly minGain: number }

function layOut({ table, limits, rows, derivatives }: TreeGrower, rowCount: number, columns: readonly number[]): Layout {
  let size = 0
  const placed = columns.map((column): ColumnBins => {
    const binCount = table.edges[column]?.length ?? 0
    const offset = size
    // One more bin for what is missing.
    size += (binCount + 1) * BIN_STRIDE
    return { column, offset, binCount, hasMissing: table.hasMissing[column] === 1, monotone: limits.monotone[column] ?? 0 }
  })
  let mostGain = 0
  for (let index = 0; index < rowCount; index++) {
    const row = rows[index] as number
    mostGain += (derivatives.gradients[row] as number) ** 2 / (derivatives.hessians[row] as number)
  }
  return { columns: placed, size, minGain: MIN_RELATIVE_GAIN * mostGain }
}

function sumRows({ rows, derivatives: { gradients, hessians } }: TreeGrower, rowCount: number): Sums {
  let [gradient, hessian] = [0, 0]
  for (let index = 0; index < rowCount; index++) {
    const row = rows[index] as number
    gradient += gradients[row] as number
    hessian += hessians[row] as number
  }
  return { gradient, hessian, rows: rowCount }
}

function openLeaf(grower: TreeGrower, layout: Layout, node: TreeNode, slot: Float64Array): OpenLeaf {
  const split = findBestSplit(slot, layout.columns, node.sums, node.bounds, { ...grower.limits, minGain: layout.minGain })
  if (split !== undefined) return { node, slot, split }
  giveBack(grower, slot)
  return { node, slot: undefined, split }
}

/** Only the smaller side's rows are added up; the other side's histogram is what is left of their parent's. */
function openSides(grower: TreeGrower, layout: Layout, left: TreeNode, right: TreeNode, parentSlot: Float64Array | undefined): OpenLeaf[] {
  const canSplit = (node: TreeNode) => node.sums.rows >= 2 * grower.limits.minLeafRows
  if (parentSlot === undefined || !(canSplit(left) || canSplit(right))) {
    giveBack(grower, parentSlot)
    return []
  }
  const [small, large] = left.sums.rows <= right.sums.rows ? [left, right] : [right, left]
  const smallSlot = buildHistogram(grower, layout, small)
  for (let index = 0; index < layout.size; index++) parentSlot[index] = (parentSlot[index] as number) - (smallSlot[index] as number)
  const slots = new Map([
    [small, smallSlot],
    [large, parentSlot],
  ])
  // In this order, so that of equal gains the left side's is taken.
  return [left, right].map((node) => openLeaf(grower, layout, node, slots.get(node) ?? smallSlot))
}

function takeMostPromising(open: OpenLeaf[]): OpenLeaf | undefined {
  let chosen = 0
  for (let index = 1; index < open.length; index++) {
    if ((open[index]?.split?.gain ?? 0) > (open[chosen]?.split?.gain ?? 0)) chosen = index
  }
  return open.splice(chosen, 1)[0]
}

function giveBack(grower: TreeGrower, slot: Float64Array | undefined): void {
  if (slot !== undefined) grower.slots.push(slot)
}

function takeSlot(grower: TreeGrower, size: number): Float64Array {
  const slot = grower.slots.pop()
  if (slot === undefined || slot.length < size + SPARE_SIZE) return new Float64Array(size + SPARE_SIZE)
  return slot.fill(0, 0, size)
}

function buildHistogram(grower: TreeGrower, { columns, size }: Layout, { from, to }: TreeNode): Float64Array {
  const { table, rows, derivatives, nodeGradients, nodeHessians, limits } = grower
  const histogram = takeSlot(grower, size)
  const count = to - from
  for (let index = 0; index < count; index++) {
    const row = rows[from + index] as number
    nodeGradients[index] = derivatives.gradients[row] as number
    nodeHessians[index] = derivatives.hessians[row] as number
  }
  const nodeRows = rows.subarray(from, to)
  for (let first = 0; first < columns.length; first += COLUMNS_AT_ONCE) {
    const place = (next: number): Place => placeOf(table, columns[first + next], size)
    const four: FourPlaces = [place(0), place(1), place(2), place(3)]
    if (limits.isHessianOne) addUpUnweighted(histogram, table.bins, four, nodeRows, nodeGradients)
    else addUp(histogram, table.bins, four, nodeRows, nodeGradients, nodeHessians)
  }
  if (limits.isHessianOne) for (let at = 0; at < size; at += BIN_STRIDE) histogram[at + 1] = histogram[at + 2] as number
  return histogram
}

/** Where a column's bins are in the table, and its sums in the histogram. */
type Place = { readonly from: number; readonly to: number }
type FourPlaces = readonly [Place, Place, Place, Place]

/** What is added up beside the last columns, to fill the four, goes behind the sums of all of them and is never read. */
function placeOf({ rowCount }: BinnedTable, column: ColumnBins | undefined, size: number): Place {
  return column === undefined ? { from: 0, to: size } : { from: column.column * rowCount, to: column.offset }
}

/** Four columns in one pass over the rows take half as long as four passes: the sums of different columns do not wait for each other. */
function addUpUnweighted(
  histogram: Float64Array,
  bins: Uint8Array,
  [a, b, c, d]: FourPlaces,
  rows: Int32Array,
  gradients: Float64Array,
): void {
  const [aFrom, aTo, bFrom, bTo] = [a.from, a.to, b.from, b.to]
  const [cFrom, cTo, dFrom, dTo] = [c.from, c.to, d.from, d.to]
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as number
    const gradient = gradients[index] as number
    addOne(histogram, aTo + BIN_STRIDE * (bins[aFrom + row] as number), gradient)
    addOne(histogram, bTo + BIN_STRIDE * (bins[bFrom + row] as number), gradient)
    addOne(histogram, cTo + BIN_STRIDE * (bins[cFrom + row] as number), gradient)
    addOne(histogram, dTo + BIN_STRIDE * (bins[dFrom + row] as number), gradient)
  }
}

function addOne(histogram: Float64Array, at: number, gradient: number): void {
  histogram[at] = (histogram[at] as number) + gradient
  histogram[at + 2] = (histogram[at + 2] as number) + 1
}

function addUp(
  histogram: Float64Array,
  bins: Uint8Array,
  [a, b, c, d]: FourPlaces,
  rows: Int32Array,
  gradients: Float64Array,
  hessians: Float64Array,
): void {
  const [aFrom, aTo, bFrom, bTo] = [a.from, a.to, b.from, b.to]
  const [cFrom, cTo, dFrom, dTo] = [c.from, c.to, d.from, d.to]
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as number
    const gradient = gradients[index] as number
    const hessian = hessians[index] as number
    addWeighted(histogram, aTo + BIN_STRIDE * (bins[aFrom + row] as number), gradient, hessian)
    addWeighted(histogram, bTo + BIN_STRIDE * (bins[bFrom + row] as number), gradient, hessian)
    addWeighted(histogram, cTo + BIN_STRIDE * (bins[cFrom + row] as number), gradient, hessian)
    addWeighted(histogram, dTo + BIN_STRIDE * (bins[dFrom + row] as number), gradient, hessian)
  }
}

function addWeighted(histogram: Float64Array, at: number, gradient: number, hessian: number): void {
  addOne(histogram, at, gradient)
  histogram[at + 1] = (histogram[at + 1] as number) + hessian
}

function cutNode(grower: TreeGrower, node: TreeNode, split: Split): [TreeNode, TreeNode] {
  const middle = partition(grower, node, split)
  const sides = [split.left, minus(node.sums, split.left)] as const
  const bounds = sideBounds(grower, node.bounds, split, outputOf(sides[0], node.bounds, grower.limits.lambda), sides[1])
  const left: TreeNode = { from: node.from, to: middle, sums: sides[0], bounds: bounds[0], cut: undefined }
  const right: TreeNode = { from: middle, to: node.to, sums: sides[1], bounds: bounds[1], cut: undefined }
  node.cut = { split, left, right }
  return [left, right]
}

function sideBounds({ limits, table }: TreeGrower, bounds: Bounds, split: Split, leftOutput: number, right: Sums): [Bounds, Bounds] {
  const middle = (leftOutput + outputOf(right, bounds, limits.lambda)) / 2
  return splitBounds(bounds, directionOf(split, table, limits.monotone), middle)
}

/** 0 where the cut puts no order between its sides: the column is free, or only what is missing goes right. */
export function directionOf({ column, bin }: Split, { edges }: BinnedTable, monotone: GrowLimits['monotone']): -1 | 0 | 1 {
  return bin + 1 === edges[column]?.length ? 0 : (monotone[column] ?? 0)
}

/**
 * What both sides of a cut must keep to: on a monotone column everything below one side stays on its side of the middle between the two
 * outputs, so that no pair of rows, whatever cuts follow, can come out in the wrong order (the "basic" method of LightGBM and XGBoost).
 */
export function splitBounds(bounds: Bounds, direction: -1 | 0 | 1, middle: number): [left: Bounds, right: Bounds] {
  if (direction === 0) return [bounds, bounds]
  const [below, above] = [
    { low: bounds.low, high: middle },
    { low: middle, high: bounds.high },
  ]
  return direction === 1 ? [below, above] : [above, below]
}

/** Puts the rows that go left before those that go right, each in their order; where the right side begins. */
function partition({ table, rows, spareRows }: TreeGrower, { from, to }: TreeNode, { column, bin, isMissingLeft }: Split): number {
  const bins = table.bins.subarray(column * table.rowCount, (column + 1) * table.rowCount)
  const missingBin = isMissingLeft ? (table.edges[column]?.length ?? 0) : -1
  let [left, spare] = [from, 0]
  for (let index = from; index < to; index++) {
    const row = rows[index] as number
    const rowBin = bins[row] as number
    if (rowBin <= bin || rowBin === missingBin) rows[left++] = row
    else spareRows[spare++] = row
  }
  rows.set(spareRows.subarray(0, spare), left)
  return left
}
