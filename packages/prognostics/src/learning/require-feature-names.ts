import { LearningRefusal } from './learning-refusal.ts'

/** As many, and as long, as the manifest of a model takes. */
const MAX_FEATURES = 10_000
const MAX_NAME_CHARACTERS = 256

/** Before forests are fitted: without it a model would turn out, after all the training, to be one that cannot be written. */
export function requireFeatureNames(names: readonly string[]): void {
  if (names.length > MAX_FEATURES) {
    throw new LearningRefusal(`Its columns make ${names.length} features; a model takes at most ${MAX_FEATURES}. Name fewer --features.`)
  }
  const long = names.find((name) => Array.from(name).length > MAX_NAME_CHARACTERS)
  if (long !== undefined) {
    throw new LearningRefusal(
      `The name of the feature "${long.slice(0, 40)}…" has more than ${MAX_NAME_CHARACTERS} characters; shorten that of its column.`,
    )
  }
  if (names.includes('')) throw new LearningRefusal('A column to learn from has no name; give it one, or name the others with --features.')
}
