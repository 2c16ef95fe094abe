// What the service refuses with, and why something failed, in the words of the person. It writes English; a language has its refusals in `text/languages/*/refused/`, whose
// keys are the English phrases. Loaded with the first refusal, and only for who reads another language.

import { entryOf } from '@roadworthy/wording/entry-of'
import { createRecogniser, type Recogniser } from '@roadworthy/wording/recognise'
import { number, type Reader, type Slot, verbatim } from '@roadworthy/wording/slot'

/** What it was given, as JSON writes it. */
const VALUE = '"(?:[^"\\\\]|\\\\.)*"|-?\\d+(?:\\.\\d+)?|true|false|null'
const IS_VALUE = new RegExp(`^(?:${VALUE})$`)
const TIME = '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?Z'
const RECEIVERS = 'Slack|Teams|Telegram|ntfy|The receiver|The push service'
/** Values in a row may hold what stands between them. */
const ITEM = new RegExp(`(${VALUE}|.+?)(?:, | or |$)`, 'gy')

export function createRefusals(texts: Readonly<Record<string, string>>, reader: Omit<Reader, 'textOf'>): Recogniser {
  // The one with the most words of its own knows a refusal best.
  const phrases = Object.keys(texts).sort((a, b) => ownLength(b) - ownLength(a))
  const or = texts[' or '] ?? ' or '
  /** Of the list of this language; another one is not translated, and with it the whole refusal. */
  const wordOf = (text: string) => entryOf(texts, text)
  const word: Slot = { pattern: '.{1,200}', write: wordOf }
  const wordOrValue = (text: string) => (IS_VALUE.test(text) ? text : wordOf(text))
  const listed = (text: string) => {
    const items = [...text.matchAll(ITEM)].map(([, item = '']) => wordOrValue(item))
    return items.includes(undefined) ? undefined : [items.slice(0, -1).join(', '), items.at(-1)].filter((each) => each !== '').join(or)
  }
  const slots: Readonly<Record<string, Slot>> = {
    count: number,
    /** Names of fields stay as the API has them. */
    field: verbatim('[^"]{1,200}'),
    /** With or without its port. */
    host: verbatim('[^ ]{1,300}'),
    hosts: verbatim('[^ ]{1,300}(?:, [^ ]{1,300})*'),
    id: verbatim('[^ ]{1,200}'),
    port: verbatim('\\d{1,5}'),
    braced: verbatim('\\{\\w*\\}'),
    text: verbatim('.{1,2000}'),
    time: { pattern: TIME, write: (text, { reader: { formats } }) => formats.shortTime(text) },
    /** A phrase of its own, or what another system answered, which stays as it came. */
    reason: { pattern: '.{1,2000}', write: (text, { translate }) => translate(text) },
    /** Some are names. */
    receiver: { pattern: RECEIVERS, write: (text) => wordOf(text) ?? text },
    value: { pattern: '.{1,300}', write: wordOrValue },
    /** Of the API, of which one is enough: `vehicles:read or alerts:read`. */
    names: { pattern: '.{1,2000}', write: (text) => text.split(' or ').join(or) },
    values: { pattern: '.{1,2000}', write: listed },
    word,
    /** Of a request: `body`, `query`. */
    part: { pattern: '[a-z]+', write: wordOf },
    /** What a schema has against a value: a phrase of its own. */
    complaint: { pattern: '.+', write: (text, { known }) => known(text) },
  }
  return createRecogniser({ ...reader, textOf: (text) => entryOf(texts, text) ?? text }, { phrases, slots })
}

function ownLength(phrase: string): number {
  return phrase.replace(/\{\w+\}/g, '').length
}
