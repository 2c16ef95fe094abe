// The known name that somebody most likely meant who wrote another one.

/** Longer than any name we have. What is longer is no misspelling, and comparing it would cost. */
const MAX_NAME_LENGTH = 64
/** Assumption: of a name, a third of its letters may be wrong, and three at most. */
const MAX_EDITS = 3
/** Words of two letters (`id`, `km`) stand in too many names to show which one was meant. */
const MIN_WORD_LENGTH = 3

type Known = { readonly name: string; readonly folded: string; readonly words: ReadonlySet<string> }

/** Lists of names are constants, and each is asked about again and again. */
const prepared = new WeakMap<readonly string[], readonly Known[]>()

/**
 * The same name in another case or with other separators (`sub_client_id` for `subClientId`), else one that is a few letters away, else one
 * that shares the most words (`events` for `eventTypes`, `plate` for `license_plate`). Undefined where none is near.
 */
export function closestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined
  const near = misspeltName(name, known)
  if (near !== undefined || fold(name) === '') return near
  const words = wordsOf(name)
  const alike = bestOf(prepare(known), (each) => sharedWords(words, each.words))
  return alike !== undefined && alike.score > 0 ? alike.name : undefined
}

/** The same name in another case or with other separators, else one that is a few letters away. Undefined where none is near. */
export function misspeltName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined
  const folded = fold(name)
  const all = prepare(known)
  const same = all.find((each) => each.folded === folded)
  if (same !== undefined || folded === '') return same?.name
  const mostEdits = Math.min(MAX_EDITS, Math.floor(folded.length / 3))
  const nearest = bestOf(all, (each) => {
    // No shorter way leads from one length to another.
    const isOutOfReach = Math.abs(each.folded.length - folded.length) > mostEdits
    return isOutOfReach ? Number.NEGATIVE_INFINITY : -editDistance(folded, each.folded)
  })
  return nearest !== undefined && -nearest.score <= mostEdits ? nearest.name : undefined
}

function prepare(known: readonly string[]): readonly Known[] {
  const found = prepared.get(known)
  if (found !== undefined) return found
  const all = known.map((name) => ({ name, folded: fold(name), words: wordsOf(name) }))
  prepared.set(known, all)
  return all
}

function bestOf(known: readonly Known[], scoreOf: (name: Known) => number): { name: string; score: number } | undefined {
  let best: { name: string; score: number } | undefined
  for (const each of known) {
    const score = scoreOf(each)
    if (best === undefined || score > best.score) best = { name: each.name, score }
  }
  return best
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** `eventTypes` and `event_type` are `event` and `type`. */
function wordsOf(name: string): ReadonlySet<string> {
  const words = name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  return new Set(words.filter((word) => word.length >= MIN_WORD_LENGTH).map((word) => word.replace(/s$/, '')))
}

/** Of all words of both, how many stand in both: from 0 to 1. */
function sharedWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const word of a) if (b.has(word)) shared++
  return shared === 0 ? 0 : shared / (a.size + b.size - shared)
}

/** Optimal string alignment distance: how many letters to add, drop, change, or swap with the next. */
function editDistance(a: string, b: string): number {
  let beforePrevious: readonly number[] = []
  let previous: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current.push(
        Math.min(
          (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          isSwapped ? (beforePrevious[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length] ?? 0
}
