// Forests and rows drawn at random, for tests of what is made of them; nothing here was trained.
import type { Forest, ForestLoss } from '../learning/forest.ts'

type Size = { readonly trees: number; readonly depth: number; readonly features: number }

/** Trees of uneven shape whose nodes stand in no order, with thresholds from -5 to 5 and missing values sent both ways. */
export function drawForest(draw: () => number, { trees, depth, features }: Size, loss: ForestLoss = 'squared', base = 80): Forest {
  const nodes: { feature: number; threshold: number; left: number; right: number; missingLeft: number; value: number }[] = []
  const grow = (levels: number): number => {
    const isLeaf = levels === 0 || (levels < depth && draw() < 0.2)
    const value = isLeaf ? draw() * 2 - 1 : 0
    // The children first, so that a root is not the first node of its tree.
    const [left, right] = isLeaf ? [-1, -1] : [grow(levels - 1), grow(levels - 1)]
    const feature = isLeaf ? -1 : Math.floor(draw() * features)
    return nodes.push({ feature, threshold: draw() * 10 - 5, left, right, missingLeft: draw() < 0.5 ? 1 : 0, value }) - 1
  }
  const roots = Int32Array.from({ length: trees }, () => grow(depth))
  return {
    featureNames: Array.from({ length: features }, (_, at) => `f${at}`),
    loss,
    base,
    roots,
    feature: Int16Array.from(nodes, ({ feature }) => feature),
    threshold: Float32Array.from(nodes, ({ threshold }) => threshold),
    left: Int32Array.from(nodes, ({ left }) => left),
    right: Int32Array.from(nodes, ({ right }) => right),
    missingLeft: Uint8Array.from(nodes, ({ missingLeft }) => missingLeft),
    value: Float32Array.from(nodes, ({ value }) => value),
  }
}

/** Values from -6 to 6; one in ten is missing, and one in ten is a threshold of the forest exactly. */
export function drawRows(draw: () => number, { featureNames, threshold }: Forest, count: number): Float64Array[] {
  return Array.from({ length: count }, () =>
    Float64Array.from(featureNames, () => {
      const kind = draw()
      if (kind < 0.1) return Number.NaN
      if (kind < 0.2 && threshold.length > 0) return threshold[Math.floor(draw() * threshold.length)] as number
      return draw() * 12 - 6
    }),
  )
}
