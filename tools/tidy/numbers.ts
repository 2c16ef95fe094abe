// A number that decides what the engine reports is a constant, and a constant states its source (`provenance.ts` of the prognostics package).

import path from 'node:path'
import { type Finding, isTest, type Repository } from './repository.ts'
import type { Source } from './source.ts'
import { closingIndex, type Token } from './tokens.ts'

const FOLDERS = ['packages/prognostics/src/', 'services/engine/src/schema/']
/** What is learned has settings of learning, and its model states what it was learned from and how well it performs. */
const LEARNING = 'packages/prognostics/src/learning/'
/** The table, and where the engine adds what it states itself. */
export const TABLE_FILES = ['packages/prognostics/src/numbers.ts', 'services/engine/src/models/knowledge-models.ts'] as const

/** Counts, halves, hundredths, units of time and the two voltages of vehicles: arithmetic, wherever it stands. */
const PLAIN = new Set([0, 1, 2, 10, 12, 24, 60, 100, 1000, 3600, 10_000])

/** No knowledge of vehicles, by file and constant, and why. */
const NO_KNOWLEDGE: ReadonlyMap<string, string> = new Map([
  ['fuel-loss.MS_PER_HOUR', 'unit of time'],
  ['prognose.DAY_MS', 'unit of time'],
  ['finding.PLAIN_BELOW', 'how a number is written'],
  ['finding.SECONDS_BELOW', 'how a number is written'],
  ['finding.MINUTES_BELOW', 'how a number is written'],
  ['fahrenheit.FREEZING_F', 'definition of a unit'],
  ['fahrenheit.F_PER_C', 'definition of a unit'],
  ['fault-codes.MAX_CODES', 'limit of what is looked at'],
  ['fault-codes.MAX_NAMED', 'how many are named in a sentence'],
  ['advice.MAX_REASONS', 'how many are named in a sentence'],
  ['observation.MAX_HISTORY', 'limit of what is looked at'],
  ['code-table.COLUMNS', 'form of a table'],
  ['code-table.HEXADECIMAL', 'form of a table'],
  ['random-stage.MAX_KNOWN_SHAPES', 'limit of a memory'],
  ['random-stage.BISECTIONS', 'numerics'],
  ['random-stage.MAX_SPENT', 'numerics'],
  ['random-stage.MAX_SHARE', 'numerics'],
  ['random-stage.LANCZOS', 'numerics'],
  ['random-stage.LANCZOS_SHIFT', 'numerics'],
  ['weibull.NEWTON_STEPS', 'numerics'],
  ['weibull.RELATIVE_TOLERANCE', 'numerics'],
  ['failure-modes.failureModes', 'its keys; failureModeNumbers is made of it'],
  ['advise.MAX_REPORTED_PCT', 'how a number is written'],
  ['predict.MAX_REPORTED_PROBABILITY', 'how a number is written'],
  ['life-ending.MAX_REPORTED_PCT', 'how a number is written'],
  ['life-ending.FAR_BELOW', 'mathematics'],
  ['random-stage.HALF', 'numerics'],
  ['code-evidence.MAX_KNOWN', 'limit of a memory'],
  ['vehicle-traits.MILD_HYBRID_V', 'a nominal voltage'],
  ['vehicle-traits.ASSUMED', 'made of an empty input'],
  ['vehicle-traits.TAKEN_BY_24_V', 'made of an empty input'],
  ['vin.VIN_LENGTH', 'form of a text (ISO 3779)'],
  ['vin.WMI_LENGTH', 'form of a text (ISO 3779)'],
  ['decode-input.MAX_LATITUDE_DEG', 'definition of a unit'],
  ['decode-input.MAX_LONGITUDE_DEG', 'definition of a unit'],
  ['decode-input.MAX_AGE_DAYS', 'limit of an input'],
  ['decode-input.MAX_SHOWN_NAME_LENGTH', 'how a name is written'],
  ['known-names.MAX_NAME_LENGTH', 'limit of what is looked at'],
  ['known-names.MAX_REMEMBERED', 'limit of a memory'],
  ['speed-and-distance.KM_PER_MILE', 'definition of a unit'],
  ['speed-and-distance.KMH_PER_KNOT', 'definition of a unit'],
  ['speed-and-distance.KMH_PER_M_S', 'definition of a unit'],
  ['speed-and-distance.MS_PER_HOUR', 'unit of time'],
  ['speed-and-distance.candidates', 'made of definitions of units'],
])

export function checkNumbers(repository: Repository): Finding[] {
  const tables = TABLE_FILES.flatMap((file) => repository.sources.get(file)?.code ?? [])
  const collected = new Set(tables.map(({ text }) => text))
  return judgedSources(repository).flatMap((source) => [...checkConstants(source), ...checkIsInTable(source, collected)])
}

/** What is excused has to be there. */
export function checkExcusedNumbers(repository: Repository): Finding[] {
  const there = new Set(
    judgedSources(repository).flatMap(({ path: at, code }) => topLevelConstants(code).map(({ name }) => `${stemOf(at)}.${name}`)),
  )
  return [...NO_KNOWLEDGE.keys()]
    .filter((name) => !there.has(name))
    .map((name) => ({ path: 'tools/tidy/numbers.ts', line: 1, message: `${name} is excused, but no such constant exists` }))
}

function judgedSources(repository: Repository): Source[] {
  return [...repository.sources.values()].filter(
    ({ path: file }) => FOLDERS.some((folder) => file.startsWith(folder)) && !file.startsWith(LEARNING) && !isTest(file),
  )
}

const stemOf = (file: string) => path.posix.basename(file, '.ts')

function checkConstants({ path: at, code }: Source): Finding[] {
  const stated = statedNames(code)
  const findings: Finding[] = []
  const explained = new Set<Token>()
  for (const { name, initializer } of topLevelConstants(code)) {
    const numbers = withoutFunctions(initializer).filter(({ kind }) => kind === 'number')
    for (const token of numbers) explained.add(token)
    const [first] = numbers
    if (first === undefined || stated.has(name) || statesItself(initializer) || NO_KNOWLEDGE.has(`${stemOf(at)}.${name}`)) continue
    findings.push({ path: at, line: first.line, message: `${name} has no source: state it with statedIn` })
  }
  for (const token of code) {
    if (token.kind !== 'number' || explained.has(token) || PLAIN.has(Number(token.text.replaceAll('_', '')))) continue
    findings.push({ path: at, line: token.line, message: `${token.text} needs a name and a source` })
  }
  return findings
}

/** What is stated in a file is of no use to anybody until it is in the table. */
function checkIsInTable({ path: at, code }: Source, collected: ReadonlySet<string>): Finding[] {
  return topLevelConstants(code)
    .filter(({ name, initializer }) => initializer.some(({ text }) => text === 'statedIn') && !collected.has(name))
    .map(({ name, line }) => ({ path: at, line, message: `${name} is in no table of ${TABLE_FILES.join(' or ')}` }))
}

/** Keys of the first part of each statement, `[{ A, B }, …]`. */
function statedNames(code: readonly Token[]): ReadonlySet<string> {
  const names = new Set<string>()
  code.forEach(({ text }, at) => {
    if (text !== 'statedIn' || code[at + 1]?.text !== '(') return
    const end = closingIndex(code, at + 1)
    for (let i = at; i < end; i++) {
      if (code[i]?.text !== '[' || code[i + 1]?.text !== '{') continue
      const keys = code.slice(i + 2, closingIndex(code, i + 1))
      for (const key of keys) if (key.kind === 'word') names.add(key.text)
    }
  })
  return names
}

/** A table whose rows have a source each, from which the rows are made. */
function statesItself(initializer: readonly Token[]): boolean {
  return ['source', 'sources'].some((key) => initializer.some(({ text }, at) => text === key && initializer[at + 1]?.text === ':'))
}

type Constant = { readonly name: string; readonly line: number; readonly initializer: readonly Token[] }

const STATEMENTS = new Set(['const', 'let', 'export', 'import', 'function', 'async', 'class', 'type', 'if', 'for'])

function topLevelConstants(code: readonly Token[]): Constant[] {
  const constants: Constant[] = []
  for (let at = 0; at < code.length; at = nextAtTop(code, at)) {
    const name = code[at + 1]
    if (code[at]?.text !== 'const' || code[at - 1]?.text === 'as' || name?.kind !== 'word') continue
    let end = nextAtTop(code, at + 1)
    while (end < code.length && !isStatement(code, end)) end = nextAtTop(code, end)
    const equals = code.findIndex(({ text }, i) => i > at && i < end && text === '=')
    constants.push({ name: name.text, line: name.line, initializer: equals === -1 ? [] : code.slice(equals + 1, end) })
  }
  return constants
}

function isStatement(code: readonly Token[], at: number): boolean {
  return STATEMENTS.has(code[at]?.text ?? '') && code[at - 1]?.text !== 'as' && code[at]?.line !== code[at - 1]?.endLine
}

/** The token after this one, or after the bracket that closes what it opens. */
function nextAtTop(code: readonly Token[], at: number): number {
  const token = code[at]
  const opens = token?.kind === 'punctuation' && ['(', '[', '{'].includes(token.text)
  return (opens ? closingIndex(code, at) : at) + 1
}

/** Without what arrow functions do. */
function withoutFunctions(tokens: readonly Token[]): Token[] {
  const kept: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token
    if (token.text === '=>' && token.kind === 'punctuation') at = endOfArrow(tokens, at) - 1
    else kept.push(token)
  }
  return kept
}

function endOfArrow(tokens: readonly Token[], arrow: number): number {
  let at = arrow + 1
  while (at < tokens.length && ![',', ')', ']', '}'].includes(tokens[at]?.text ?? '')) at = nextAtTop(tokens, at)
  return at
}
