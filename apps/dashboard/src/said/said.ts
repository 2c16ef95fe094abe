// What the service itself says: titles of incidents, recommendations, reasons. It says them in English and metric units; here they become those of
// the person. Where that is what the person reads, and until an answer says something, nothing is loaded for it.

type Recogniser = (text: string) => string

/** What is to be recognised: titles of fault codes are many, and most pages have none. */
type Wanted = { readonly codes: boolean }
type Load = (wanted: Wanted) => Promise<Recogniser>

let loadRecogniser: Load | undefined

/** For who reads another language or other units than the service writes. */
export function setRecogniser(load: Load | undefined): void {
  loadRecogniser = load
}

/** Fields of answers that hold what the service says. */
const SAID: ReadonlySet<string> = new Set([
  ...['title', 'recommendation', 'message', 'description', 'issue', 'what', 'why', 'risk', 'insights', 'recommendations'],
  ...['drivingOn', 'incidentTitle', 'note', 'reason'],
])
/** A code of SAE J2012, or what one stands for without its number. */
const CODE = /\b[PCBU][0-3][0-9A-F]{3}(?![0-9A-Z])|^Fault code: /i

/** An answer of the service, with what it says in the words of the person; a text that no phrase knows stays as it came. Not for answers that fill forms. */
export async function withSaid<T>(answer: T): Promise<T> {
  if (loadRecogniser === undefined || !holds(answer, (text, isSaid) => isSaid && text !== '')) return answer
  try {
    return translated(answer, false, await loadRecogniser({ codes: holds(answer, (text) => CODE.test(text)) })) as T
  } catch (error) {
    console.warn('The phrases of the service could not be loaded.', error)
    return answer
  }
}

/** Whether a text of the answer is such; it is known whether its field is one that the service says. */
function holds(value: unknown, isSuch: (text: string, isSaid: boolean) => boolean, isSaid = false): boolean {
  if (typeof value === 'string') return isSuch(value, isSaid)
  if (Array.isArray(value)) return value.some((each) => holds(each, isSuch, isSaid))
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, each]) => holds(each, isSuch, SAID.has(key)))
}

function translated(value: unknown, isSaid: boolean, recognise: Recogniser): unknown {
  if (typeof value === 'string') return isSaid ? recognise(value) : value
  if (Array.isArray(value)) return value.map((each) => translated(each, isSaid, recognise))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, translated(each, SAID.has(key), recognise)]))
}
