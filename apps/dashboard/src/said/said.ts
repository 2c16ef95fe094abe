// What the service itself says: titles of incidents, recommendations, reasons. It says them in English and metric units; here they become those of
// the person. Where that is what the person reads, and until an answer says something, nothing is loaded for it.

type Recogniser = (text: string) => string

let loadRecogniser: (() => Promise<Recogniser>) | undefined

/** For who reads another language or other units than the service writes. */
export function setRecogniser(load: (() => Promise<Recogniser>) | undefined): void {
  loadRecogniser = load
}

/** Fields of answers that hold what the service says. */
const SAID: ReadonlySet<string> = new Set([
  ...['title', 'recommendation', 'message', 'description', 'issue', 'what', 'why', 'risk', 'insights', 'recommendations'],
  ...['drivingOn', 'incidentTitle', 'note', 'reason'],
])

/** An answer of the service, with what it says in the words of the person; a text that no phrase knows stays as it came. Not for answers that fill forms. */
export async function withSaid<T>(answer: T): Promise<T> {
  if (loadRecogniser === undefined || !holdsSaid(answer, false)) return answer
  try {
    return translated(answer, false, await loadRecogniser()) as T
  } catch (error) {
    console.warn('The phrases of the service could not be loaded.', error)
    return answer
  }
}

function holdsSaid(value: unknown, isSaid: boolean): boolean {
  if (typeof value === 'string') return isSaid && value !== ''
  if (Array.isArray(value)) return value.some((each) => holdsSaid(each, isSaid))
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, each]) => holdsSaid(each, SAID.has(key)))
}

function translated(value: unknown, isSaid: boolean, recognise: Recogniser): unknown {
  if (typeof value === 'string') return isSaid ? recognise(value) : value
  if (Array.isArray(value)) return value.map((each) => translated(each, isSaid, recognise))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, translated(each, SAID.has(key), recognise)]))
}
