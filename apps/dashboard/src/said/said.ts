// What the service itself says: titles of incidents, recommendations, reasons. It says them in English and metric units; here they become those of
// the person. Where that is what the person reads, nothing is loaded for it.

type Recogniser = (text: string) => string

let recognise: Recogniser | undefined

export function setRecogniser(given: Recogniser | undefined): void {
  recognise = given
}

/** In the language and the units of the person. A text that no phrase knows stays as it came. */
export function said(text: string): string {
  return recognise?.(text) ?? text
}

/** Fields of answers that hold what the service says. */
const SAID: ReadonlySet<string> = new Set([
  ...['title', 'recommendation', 'message', 'description', 'issue', 'what', 'why', 'risk', 'insights', 'recommendations'],
  ...['drivingOn', 'incidentTitle', 'note', 'reason'],
])

/** An answer of the service, with what it says in the words of the person. Not for answers that fill forms. */
export function withSaid<T>(answer: T): T {
  return recognise === undefined ? answer : (translated(answer, false) as T)
}

function translated(value: unknown, isSaid: boolean): unknown {
  if (typeof value === 'string') return isSaid ? said(value) : value
  if (Array.isArray(value)) return value.map((each) => translated(each, isSaid))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, translated(each, SAID.has(key))]))
}
