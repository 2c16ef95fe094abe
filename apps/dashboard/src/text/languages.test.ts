// Goal: nobody meets an English word on a German or Spanish page, and no translation loses a number or a link.
// Method: all sources of the dashboard are parsed; what they show is compared with the language files.

import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { signals } from '@roadworthy/signals/registry'
import { languages } from '@roadworthy/wording/languages'
import { partNames } from '@roadworthy/wording/part-names'
import { IntlMessageFormat } from 'intl-messageformat'
import { parseSync } from 'vite'

const SOURCES = resolve(import.meta.dirname, '..')
const FILES = join(import.meta.dirname, 'languages')
const WORDING = resolve(import.meta.dirname, '../../../../packages/wording/languages')

/** Attributes and properties that hold what people read or hear. */
const SHOWN = new Set([
  ...['label', 'title', 'text', 'description', 'placeholder', 'aria-label', 'ariaLabel', 'alt', 'caption', 'legend', 'action', 'what'],
  ...['okLabel', 'error', 'hint', 'help', 'summary', 'nothingFoundMessage', 'aria-description', 'aria-roledescription'],
])
/** Two letters in a row, and a capital or a blank: `UTC offset` and `Overdue`, but neither `sm` nor `veh-1`. */
const WORDS = /(?=.*\p{L}\p{L})(?=.*(^\p{Lu}|\s))/u

type Node = { type: string; start: number; [field: string]: unknown }
type Shown = {
  /** Each text that is shown, and every file that shows it. */
  readonly keys: ReadonlyMap<string, readonly string[]>
  readonly faults: readonly string[]
  readonly links: ReadonlyMap<string, Links>
}
/** What a file brings along, and what it loads without waiting for the texts of it. */
type Links = { readonly imports: readonly string[]; readonly loadsWithTexts: number; readonly loadsWithout: readonly string[] }

/** Parts of a language by the moment at which they are loaded: see `load-language.ts`. What the service says has its test in `packages/wording`. */
const PARTS = ['first', 'later']

/** What loads a module after its texts. */
const WAITING = new Set(['withTexts', 'lazyPage'])

const shown = readShown()
/** The files that are there before any page but the overview is. */
const first = reachable(['main.ts', 'app.tsx'])
const translations = languages.filter((each) => each !== 'en').map((language) => ({ language, files: readLanguage(language) }))

test('what the first page loads later waits for its texts', () => {
  const links = [...first].filter((path) => path !== 'main.ts' && path !== 'text/load-language.ts').map((path) => shown.links.get(path))
  assert.ok(links.reduce((sum, each) => sum + (each?.loadsWithTexts ?? 0), 0) > 40, 'the pages are found')
  assert.deepEqual(
    links.flatMap((each) => each?.loadsWithout ?? []),
    [],
  )
})

test('whatever is shown goes through t with a text that can be looked up', () => {
  assert.equal(shown.faults.length, 0, ['not translated:', ...shown.faults].join('\n'))
})

for (const { language, files } of translations) {
  const all = new Map(files.flatMap(({ texts }) => Object.entries(texts)))

  test(`${language}: every text has a translation`, () => {
    const holes = [...shownBy(() => true), ...listed()].filter(([key]) => (all.get(key) ?? '') === '')
    assert.equal(holes.length, 0, ['missing:', ...holes.map(([key, path]) => `${JSON.stringify(key)}: "", (${path})`).sort()].join('\n'))
  })

  const textsOf = (...parts: string[]) => new Set(files.flatMap(({ part, texts }) => (parts.includes(part) ? Object.keys(texts) : [])))
  const lacking = (wanted: readonly (readonly [key: string, path: string])[], there: ReadonlySet<string>) =>
    wanted.filter(([key]) => !there.has(key)).map(([key, path]) => `${JSON.stringify(key)} (${path})`)

  test(`${language}: what is shown before another page is opened stands in first/`, () => {
    const early = shownBy((path) => first.has(path))
    assert.ok(early.length > 100, 'the files of the first page are found')
    assert.deepEqual(lacking(early, textsOf('first')), [])
  })

  test(`${language}: no translation is of a text that is not shown any more`, () => {
    const wanted = new Set([...shown.keys, ...listed()].map(([key]) => key))
    const stale = files.flatMap(({ name, texts }) => Object.keys(texts).flatMap((key) => (wanted.has(key) ? [] : [`${name}: ${key}`])))
    assert.equal(stale.length, 0, ['not shown:', ...stale].join('\n'))
  })

  test(`${language}: a text that stands in two files reads the same in both`, () => {
    const different = [...files, readTexts('said', join(WORDING, language, 'said/said.json'))].flatMap(({ name, texts }) =>
      Object.entries(texts).flatMap(([key, text]) => ((all.get(key) ?? text) === text ? [] : [`${name}: ${key}`])),
    )
    assert.deepEqual(different, [])
  })

  test(`${language}: a translation has the numbers, names and links of the English text`, () => {
    const different = [...all].filter(([key, text]) => String(parts(key)) !== String(parts(text)))
    assert.deepEqual(different, [])
  })
}

/** Names of arguments and tags of a message, in alphabetical order, each once. */
function parts(message: string): string[] {
  const found = new Set<string>()
  const visit = (elements: readonly Node[]): void => {
    for (const element of elements) {
      // The syntax tree of ICU messages numbers its kinds; 0 is plain text, 7 the number sign of a plural.
      const kind = element.type as unknown as number
      if (kind !== 0 && kind !== 7) found.add(`${kind === 8 ? '<>' : '{}'}${String(element.value)}`)
      if (Array.isArray(element.children)) visit(element.children)
      for (const option of Object.values((element.options as Record<string, { value: Node[] }> | undefined) ?? {}))
        visit(option.value ?? [])
    }
  }
  visit(new IntlMessageFormat(message, 'en').getAst() as unknown as Node[])
  return [...found].sort()
}

/** Texts of closed lists that are kept elsewhere and shown by `tListed`. */
function listed(): [key: string, path: string][] {
  return [
    ...Object.values(signals).map(({ label }): [string, string] => [label, 'the registry of signals']),
    ...Object.values(partNames).map((name): [string, string] => [name, 'the names of parts']),
  ]
}

type Texts = { readonly part: string; readonly name: string; readonly texts: Readonly<Record<string, string>> }

function readLanguage(language: string): Texts[] {
  const own = PARTS.flatMap((part) => {
    const folder = join(FILES, language, part)
    return readdirSync(folder).map((file) => readTexts(part, join(folder, file)))
  })
  return [...own, readTexts('first', join(WORDING, language, 'names.json'))]
}

function readTexts(part: string, path: string): Texts {
  return { part, name: relative(FILES, path), texts: JSON.parse(readFileSync(path, 'utf8')) as Record<string, string> }
}

function shownBy(isMeant: (path: string) => boolean): [key: string, path: string][] {
  return [...shown.keys].flatMap(([key, paths]) => {
    const path = paths.find(isMeant)
    return path === undefined ? [] : [[key, path] as [string, string]]
  })
}

/** The files, and what they bring along. */
function reachable(paths: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (path: string): void => {
    if (found.has(path)) return
    found.add(path)
    for (const each of shown.links.get(path)?.imports ?? []) add(each)
  }
  for (const path of paths) add(path)
  return found
}

function readShown(): Shown {
  const keys = new Map<string, string[]>()
  const links = new Map<string, Links>()
  const faults: string[] = []
  const besides: { readonly text: string; readonly where: string }[] = []
  for (const path of globSync('**/*.{ts,tsx}', { cwd: SOURCES }).filter((each) => !each.endsWith('.test.ts'))) {
    const text = readFileSync(join(SOURCES, path), 'utf8')
    const isTranslated = path !== 'text/translate.ts'
    const fault = (node: Node, what: string) => faults.push(`${path}:${text.slice(0, node.start).split('\n').length}: ${what}`)
    const program = parseSync(path, text).program as unknown as Node
    links.set(path, readLinks(program, path))
    visitNodes(program, (node, parent) => {
      const key = keyOf(node)
      if (key === null && path !== 'text/translate.ts') fault(node, 't needs the text itself as its first argument')
      if (typeof key === 'string') keys.set(key, [...(keys.get(key) ?? []), path])
      const words = isTranslated ? untranslated(node, parent) : undefined
      if (words !== undefined) fault(node, `"${words}" does not go through t`)
      const beside = isLookedUp(parent) ? undefined : literal(node)
      if (beside !== undefined) besides.push({ text: beside, where: `${path}:${text.slice(0, node.start).split('\n').length}` })
    })
  }
  // A text that is translated in one place and written down in another, like the labels of buttons in an object. `UTC` and `JSON` are none.
  for (const { text, where } of besides)
    if (/^\p{Lu}.*\p{Ll}/u.test(text) && keys.has(text) && text !== 'External API')
      faults.push(`${where}: "${text}" does not go through t here`)
  return { keys, faults, links }
}

function readLinks(program: Node, path: string): Links {
  const imports: string[] = []
  const loads: Node[] = []
  const waiting: Node[] = []
  visitNodes(program, (node) => {
    if (node.type === 'ImportDeclaration' && node.importKind !== 'type')
      imports.push(join(dirname(path), literal(node.source as Node) ?? ''))
    if (node.type === 'ImportExpression') loads.push(node)
    if (node.type === 'CallExpression' && WAITING.has(String((node.callee as Node).name))) waiting.push(node)
  })
  const isWaiting = (load: Node) => waiting.some(({ start, end }) => start < load.start && load.start < Number(end))
  return {
    imports,
    loadsWithTexts: loads.filter(isWaiting).length,
    loadsWithout: loads.filter((load) => !isWaiting(load)).map(({ source }) => `${path}: ${literal(source as Node)}`),
  }
}

function visitNodes(node: Node, visit: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  visit(node, parent)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof child.type === 'string') visitNodes(child as Node, visit, node)
    }
  }
}

function isLookedUp(parent: Node | undefined): boolean {
  return parent !== undefined && (keyOf(parent) !== undefined || parent.type === 'ImportDeclaration' || parent.type.startsWith('TS'))
}

/** The text that a call of `t` or `tRich` looks up; `null` when it is not written there, `undefined` for anything else. */
function keyOf(node: Node): string | null | undefined {
  const callee = node.callee as Node | undefined
  if (node.type !== 'CallExpression' || callee?.type !== 'Identifier' || !['t', 'tRich'].includes(String(callee.name))) return undefined
  return literal((node.arguments as Node[])[0]) ?? null
}

function untranslated(node: Node, parent: Node | undefined): string | undefined {
  if (node.type === 'JSXText') return /\p{L}\p{L}/u.test(String(node.value)) ? String(node.value).trim() : undefined
  if (node.type === 'JSXExpressionContainer' && parent?.type === 'JSXElement') return words(node.expression as Node)
  const attribute = node.type === 'JSXAttribute' ? String((node.name as Node).name) : ''
  if (SHOWN.has(attribute)) {
    const value = node.value as Node | null
    const text = value?.type === 'JSXExpressionContainer' ? (value.expression as Node) : value
    // Part of a sentence, so it has no capital letter.
    return attribute === 'what' ? literal(text ?? undefined) : words(text)
  }
  if (node.type === 'Property' && SHOWN.has(String((node.key as Node).name ?? (node.key as Node).value))) return words(node.value as Node)
  return undefined
}

/** What would be shown as it is written here: the text itself, or that of a branch. */
function words(node: Node | null | undefined): string | undefined {
  if (node?.type === 'ConditionalExpression') return words(node.consequent as Node) ?? words(node.alternate as Node)
  if (node?.type === 'LogicalExpression') return words(node.right as Node)
  if (node?.type === 'TemplateLiteral') {
    const texts = (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
    return texts.find((each) => /\p{L}\p{L}\p{L}/u.test(each) && /\s/.test(texts.join('')))
  }
  const text = literal(node ?? undefined)
  return text !== undefined && WORDS.test(text) ? text : undefined
}

function literal(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  const quasis = node?.type === 'TemplateLiteral' ? (node.quasis as { value: { cooked: string } }[]) : []
  return quasis.length === 1 ? quasis[0]?.value.cooked : undefined
}
