// Goal: who reads German or Spanish is refused nothing in English because no phrase knows it. Method: the sources of the service are parsed for what it
// refuses with, and each such text must be a phrase; real refusals of schemas, which are put together of pieces, must be known to their last word.

import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { createSchemaCheck } from '@roadworthy/service-kit/http/schema-check'
import { formatsOf } from '@roadworthy/wording/formats'
import { createRefusals } from './refusals.ts'
import { NOT_ON_A_PAGE } from './test-not-refused.ts'
import { GAP, refusalsIn, wordsIn } from './test-refusal-sources.ts'

const ROOT = resolve(import.meta.dirname, '../../../..')
const LANGUAGES = ['de', 'es'] as const

const files = ['services/platform/src/**/*.ts', 'packages/service-kit/src/**/*.ts']
  .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  .filter((path) => !/\.test\.ts$|\/test(ing)?-|\.sql\.ts$|\/words\//.test(path))
  .sort()
const sources = files.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
const said = sources.flatMap((source) => refusalsIn(source).map((text) => ({ path: source.path, text })))

function readTexts(language: string): Record<string, string> {
  const folder = join(import.meta.dirname, '../text/languages', language, 'refused')
  return Object.assign({}, ...readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))))
}

const textsOf = { de: readTexts('de'), es: readTexts('es') }
const phrases = Object.keys(textsOf.de)

function recogniserOf(language: 'de' | 'es') {
  return createRefusals(textsOf[language], { language, units: 'metric', formats: formatsOf(language, 'UTC') })
}

/** Phrases with a bare gap for each of theirs, and what a text of the sources finds among them; its own gaps may hold anything. */
const bare = phrases.map((phrase) => phrase.replaceAll(/\{\w+\}/g, GAP))
const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

function isKnown(text: string): boolean {
  const expression = new RegExp(
    text
      .split(/\{\w*\}/)
      .map(literally)
      .join('.*'),
  )
  return bare.some((phrase) => expression.test(phrase))
}

test('whatever the service refuses with has a phrase, or refuses nobody on a page', () => {
  const lines = said.map(({ path, text }) => ({ text, line: `${path}: ${text}` }))
  const unknown = lines.filter(({ text, line }) => !NOT_ON_A_PAGE.some(([each]) => each.test(line)) && !isKnown(text))
  assert.ok(said.length > 500, `${said.length} texts`)
  assert.equal(unknown.length, 0, ['no phrase says:', ...unknown.map(({ line }) => line)].join('\n'))
  const needless = NOT_ON_A_PAGE.filter(([each]) => !lines.some(({ text, line }) => each.test(line) && !isKnown(text)))
  assert.deepEqual(needless, [], 'nothing is left out by it')
})

test('no phrase is kept that the service does not refuse with any more', () => {
  const contracts = globSync('packages/contracts/src/**/*.ts', { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), 'utf8'))
  // Names of states stand anywhere; sentences of Ajv, in its own modules.
  const ajv = globSync('node_modules/ajv/lib/vocabularies/**/*.ts', { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), 'utf8'))
  // A statement may write one, too.
  const statements = globSync('services/platform/src/**/*.sql.ts', { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), 'utf8'))
  const words = [...sources.map(({ text }) => text), ...statements, ...contracts, ajv.join('\n')].map((text) => new Set(wordsIn(text)))
  const stale = phrases.filter((phrase) => !words.some((each) => wordsIn(phrase).every((word) => each.has(word))))
  assert.deepEqual(stale, [])
})

for (const language of LANGUAGES) {
  const texts = textsOf[language]

  test(`${language}: every refusal has a translation with the same gaps, and fields keep their names`, () => {
    const gaps = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()
    const names = (text: string) => (text.match(/(?<=["„«])[a-z]\w*(?:[.]\w+)*(?=["“»])/gi) ?? []).sort()
    assert.deepEqual(Object.keys(texts).sort(), [...phrases].sort())
    const same = Object.entries(texts).filter(([phrase, translation]) => phrase === translation)
    assert.deepEqual(
      same.map(([phrase]) => phrase).filter((phrase) => !['null', 'test'].includes(phrase)),
      [],
      'not translated',
    )
    for (const [phrase, translation] of Object.entries(texts)) {
      assert.ok(translation.trim() !== '', phrase)
      assert.deepEqual(gaps(translation), gaps(phrase), phrase)
      for (const name of names(translation)) assert.ok(phrase.includes(name), `${phrase}: ${name}`)
      for (const name of names(phrase)) assert.ok(translation.includes(name), `${phrase}: ${name}`)
    }
  })

  test(`${language}: whatever a schema has against a value is known to its last word`, () => {
    const recognise = recogniserOf(language)
    const rules = sources.find(({ path }) => path.endsWith('/validation-problem.ts'))?.text.match(/(?<=')(?:be|have) [^']+(?=')/g) ?? []
    assert.ok(rules.length > 35, `${rules.length} forms`)
    for (const rule of rules) {
      const refused = `"phone" must ${rule}, such as "x", not "a, b".`
      assert.notEqual(recognise(refused), refused)
      assert.doesNotMatch(recognise(refused), /such as|\bmust\b|\bnot\b/, refused)
    }
    for (const [schema, value] of REFUSED) {
      const refused = createSchemaCheck(schema)(value)?.message
      assert.ok(refused !== undefined, JSON.stringify(schema))
      assert.notEqual(recognise(refused), refused)
      assert.doesNotMatch(recognise(refused), /\b(must|not|known|have|one of|is|the)\b/i, refused)
    }
  })
}

test('every state that a refusal may name has its words', () => {
  const names = [
    'SubClientStatus',
    'invoiceStatuses',
    'attemptStatuses',
    'simStatuses',
    'incidentStatuses',
    'alertStatuses',
    'maintenanceStatuses',
  ]
  const contracts = globSync('packages/contracts/src/**/*.ts', { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), 'utf8'))
  const texts = [...sources.map(({ text }) => text), ...contracts]
  for (const name of [...names, 'simActionKinds', 'words: Readonly<Record<InvoiceAction, string>>']) {
    const list = texts.map((text) => text.split(`${name} = `)[1]).find((text) => text !== undefined)
    const states =
      /^(?:[^\n]*\[?'[^\n]*|\{[^}]*\})/
        .exec(list ?? '')?.[0]
        .match(/(?<=')[a-z_ ]+(?=')/g)
        ?.filter((word) => word.trim() !== '|') ?? []
    assert.ok(states.length > 1, name)
    for (const state of states) for (const language of LANGUAGES) assert.ok(textsOf[language][state] !== undefined, `${name}: ${state}`)
  }
})

const object = (properties: object, more: object = {}) => ({ type: 'object', additionalProperties: false, properties, ...more })

/** One of each rule that schemas of the service have. */
const REFUSED: readonly (readonly [schema: object, value: unknown])[] = [
  [object({ a: { type: 'string' } }, { required: ['a'] }), {}],
  [object({ a: { type: 'string' } }), { b: 1 }],
  [object({ status: { type: 'string' } }), { statuss: 1 }],
  [object({}), { b: 1 }],
  [object({ a: { type: ['string', 'null'] } }), { a: 5 }],
  [object({ a: { type: 'boolean' } }), { a: 'x' }],
  [object({ a: { type: 'integer' } }), { a: 1.5 }],
  [object({ a: { type: 'array' } }), { a: null }],
  [object({ a: { enum: ['x', 'y, or z', 3] } }), { a: 'no' }],
  [object({ a: { const: true } }), { a: false }],
  [object({ a: { type: 'number', minimum: 1, maximum: 2.5 } }), { a: 3 }],
  [object({ a: { type: 'number', minimum: 1 } }), { a: 0 }],
  [object({ a: { type: 'number', maximum: 1 } }), { a: 3 }],
  [object({ a: { type: 'number', exclusiveMinimum: 0 } }), { a: 0 }],
  [object({ a: { type: 'number', exclusiveMaximum: 0 } }), { a: 0 }],
  [object({ a: { type: 'string', minLength: 1 } }), { a: '' }],
  [object({ a: { type: 'string', minLength: 2, maxLength: 3 } }), { a: '' }],
  [object({ a: { type: 'string', maxLength: 3 } }), { a: 'abcd' }],
  [object({ a: { type: 'array', minItems: 1, maxItems: 3 } }), { a: [] }],
  [object({ a: { type: 'array', maxItems: 1 } }), { a: [1, 2] }],
  [object({ a: { type: 'array', uniqueItems: true } }), { a: [1, 1] }],
  [object({ a: { type: 'string' } }, { minProperties: 1 }), {}],
  [object({ a: { type: 'string', pattern: '^[0-9]{14,16}$', examples: ['356938035643809'] } }), { a: 'x' }],
  [object({ a: { type: 'string', pattern: '^unknown$' } }), { a: 'x' }],
  [object({ a: { type: 'string', format: 'email' } }), { a: 'x' }],
  [object({ a: { type: 'string', format: 'date-time' } }), { a: 'x' }],
  [object({ a: { type: 'string', format: 'uri' } }), { a: 'x' }],
  [object({ a: { anyOf: [{ type: 'string' }, { type: 'number' }] } }), { a: {} }],
  [{ type: 'object' }, []],
]

test('a refusal is in the language and the numbers of the person, with what they gave', () => {
  const german = recogniserOf('de')
  const spanish = recogniserOf('es')
  assert.equal(german('There is no such invoice.'), 'Diese Rechnung gibt es nicht.')
  assert.equal(
    german('"snoozedUntil" must be in the future, at most 1000 days ahead.'),
    '„snoozedUntil“ muss in der Zukunft liegen, höchstens 1.000 Tage voraus.',
  )
  assert.equal(
    spanish('An incident that is resolved cannot become open. It can become nothing else.'),
    'Una incidencia en estado «resuelta» no puede pasar a «abierta» ni a ningún otro.',
  )
  assert.equal(
    german('An incident that is open cannot become open. It can become acknowledged or snoozed.'),
    'Ein Vorfall im Status „offen“ kann nicht in „offen“ übergehen. Möglich ist: bestätigt oder zurückgestellt.',
  )
  assert.equal(spanish('"order" must be "asc" or "desc", not "a, b or c".'), '«order» debe ser "asc" o "desc", no "a, b or c".')
  assert.equal(german('This key lacks the scope vehicles:read or alerts:read.'), 'Dafür fehlt das Recht vehicles:read oder alerts:read.')
  assert.equal(spanish('More than 600 requests in 60 seconds with this key.'), 'Más de 600 peticiones en 60 segundos con esta clave.')
  assert.equal(
    german('A SIM that is terminated cannot be asked to activate. The operator does not offer it.'),
    'Für eine SIM-Karte im Status „gekündigt“ ist „aktivieren“ nicht möglich. Der Netzbetreiber bietet es nicht an.',
  )
})

test('a refusal of which a word is not known stays as it came', () => {
  const german = recogniserOf('de')
  for (const text of [
    '',
    'Out of coffee.',
    'An incident that is lost cannot become open. It can become nothing else.',
    'An incident that is constructor cannot become open. It can become nothing else.',
    '"a" must be blue.',
  ])
    assert.equal(german(text), text)
})

// A search that grows faster than the text would not end within the minute.
test('no refusal keeps a page busy', { timeout: 60_000 }, () => {
  const german = recogniserOf('de')
  for (const piece of ['"a" must be ', ', not ', ' or ', '"', '". ', 'There is no scope ', ' is ', '; known are ', 'Port 1 of '])
    for (const end of ['', '.', ' is given twice.']) assert.equal(typeof german(`"${piece.repeat(3_900 / piece.length)}${end}`), 'string')
})
