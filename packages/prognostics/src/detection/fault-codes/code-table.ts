// The tables of codes are text, one row a line, so that a person who knows workshops can read and mend them:
//
//   codes | meaning of each code | component | driving on | title | effect on the driver (optional)
//
// Codes: single, or a range `P0301..P0312` (counted in decimal where both ends are, else in hexadecimal, as SAE J2012 does).
// Meaning of each code: `-` when the title is all of it; `=` and a list that replaces `#` in the title in turn (`1..12` is a range, `_` a space); fault
// letters, one per code; or a list, `*` and fault letters or words, for a list of parts with the same faults each.
import { type Component, isComponent } from '../../components.ts'
import { type DrivingOn, isDrivingOn, ofCircuit } from './driving-on.ts'

export type CodeMeaning = {
  /** A few plain words, in lower case. */
  readonly title: string
  readonly component: Component
  readonly driving: DrivingOn
  /** What the driver notices or risks, in a sentence without its full stop; with `=` before it, all that is shown about driving on. */
  readonly effect: string | undefined
  /** About the wiring or the signal of a part, not about what the part measures. */
  readonly isCircuit: boolean
}

/** Small letters are of sensors, capital ones of what is controlled. */
const faults: Readonly<Record<string, { readonly text: string; readonly isCircuit: boolean }>> = {
  e: { text: 'electrical fault', isCircuit: true },
  p: { text: 'implausible signal', isCircuit: true },
  l: { text: 'signal too low', isCircuit: true },
  h: { text: 'signal too high', isCircuit: true },
  i: { text: 'signal comes and goes', isCircuit: true },
  n: { text: 'no signal', isCircuit: true },
  s: { text: 'wires shorted to each other', isCircuit: true },
  X: { text: 'signals contradict each other', isCircuit: true },
  E: { text: 'electrical fault', isCircuit: true },
  P: { text: 'does not follow its control', isCircuit: true },
  L: { text: 'voltage too low', isCircuit: true },
  H: { text: 'voltage too high', isCircuit: true },
  I: { text: 'circuit comes and goes', isCircuit: true },
  F: { text: 'stuck off or without effect', isCircuit: false },
  S: { text: 'stuck on', isCircuit: false },
  O: { text: 'stuck open', isCircuit: false },
  C: { text: 'stuck closed', isCircuit: false },
  b: { text: 'delivers too much or too little', isCircuit: false },
}

const COLUMNS = 5

/** Throws on a row that does not fit: a table is part of the code. */
export function readCodeTable(table: string, into: Map<string, CodeMeaning>): void {
  for (const row of rowsOf(table)) {
    const [codes = '', meaning = '', component = '', driving = '', title = '', effect] = row
    if (row.length < COLUMNS || !isComponent(component) || !isDrivingOn(driving)) throw new Error(`Not a row of codes: ${row.join(' | ')}`)
    const spelled = spellOut(codes)
    const meanings = meaningsOf(meaning, title)
    if (meanings.length !== 1 && meanings.length !== spelled.length)
      throw new Error(`${spelled.length} codes, but ${meanings.length} meanings: ${row.join(' | ')}`)
    for (const [at, code] of spelled.entries()) {
      const meaning = meanings[meanings.length === 1 ? 0 : at]
      if (meaning === undefined || into.has(code)) throw new Error(`${code} is there twice`)
      const { text, isCircuit } = meaning
      into.set(code, { title: text, component, driving: isCircuit ? ofCircuit(driving) : driving, effect, isCircuit })
    }
  }
}

/** Cells of each row; empty lines and those that begin with `#` are left out. */
export function rowsOf(table: string): string[][] {
  return table
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
}

export function spellOut(codes: string): string[] {
  return codes.split(' ').flatMap((part) => {
    const [from = '', to] = part.split('..')
    return to === undefined ? [from] : spellRange(from, to)
  })
}

const HEXADECIMAL = 16

function spellRange(from: string, to: string): string[] {
  const letter = /^[PCBU]/.exec(from)?.[0] ?? ''
  const [first, last] = [from.slice(letter.length), to.slice(letter.length)]
  const base = /[A-F]/.test(first + last) ? HEXADECIMAL : 10
  const start = Number.parseInt(first, base)
  const count = Number.parseInt(last, base) - start + 1
  const numberAt = (at: number) => (start + at).toString(base).toUpperCase()
  return Array.from({ length: count }, (_, at) => letter + (letter === '' ? numberAt(at) : numberAt(at).padStart(first.length, '0')))
}

type Meaning = { readonly text: string; readonly isCircuit: boolean }

function meaningsOf(meaning: string, title: string): Meaning[] {
  if (meaning === '-') return [{ text: title, isCircuit: false }]
  if (!meaning.startsWith('=')) return meaning.split(' ').map((fault) => withFault(title, fault))
  const [list = '', each] = meaning.slice(1).split(' * ')
  const parts = spellOut(list).map((part) => title.replace('#', part.replaceAll('_', ' ')))
  if (each === undefined) return parts.map((text) => ({ text, isCircuit: false }))
  return parts.flatMap((part) => each.split(' ').map((fault) => withFault(part, fault)))
}

function withFault(title: string, fault: string): Meaning {
  const known = faults[fault]
  if (known !== undefined) return { text: `${title}: ${known.text}`, isCircuit: known.isCircuit }
  if (fault.length < 2) throw new Error(`No such fault letter: ${fault}`)
  return { text: `${title}: ${fault.replaceAll('_', ' ')}`, isCircuit: false }
}
