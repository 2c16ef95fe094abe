// Answers that refuse something, and answers that hold why something was refused or failed before: in the words of the person, where those are loaded.

type Recogniser = (text: string) => string

let loadRefusals: (() => Promise<Recogniser>) | undefined

/** For who reads another language than the service refuses in. */
export function setRefusals(load: (() => Promise<Recogniser>) | undefined): void {
  loadRefusals = load
}

/** Each `message` in it is translated; one that no phrase knows stays as it came. */
export function withRefusals<T>(answer: T): Promise<T> {
  return withReasons(answer, ['message'])
}

/** The fields of these names are translated. `isOurs` is false of an object whose texts a person or another system wrote. */
export async function withReasons<T>(answer: T, fields: readonly string[], isOurs: (holder: Holder) => boolean = () => true): Promise<T> {
  const isReason = (key: string, holder: Holder) => fields.includes(key) && isOurs(holder)
  if (loadRefusals === undefined || !holdsReason(answer, isReason)) return answer
  try {
    return translated(answer, isReason, await loadRefusals()) as T
  } catch (error) {
    console.warn('The refusals of the service could not be translated.', error)
    return answer
  }
}

type Holder = Readonly<Record<string, unknown>>
type IsReason = (key: string, holder: Holder) => boolean

function holdsReason(value: unknown, isReason: IsReason): boolean {
  if (Array.isArray(value)) return value.some((each) => holdsReason(each, isReason))
  if (typeof value !== 'object' || value === null) return false
  const holder = value as Holder
  return Object.entries(holder).some(([key, each]) => (typeof each === 'string' ? isReason(key, holder) : holdsReason(each, isReason)))
}

function translated(value: unknown, isReason: IsReason, recognise: Recogniser): unknown {
  if (Array.isArray(value)) return value.map((each) => translated(each, isReason, recognise))
  if (typeof value !== 'object' || value === null) return value
  const holder = value as Holder
  return Object.fromEntries(
    Object.entries(holder).map(([key, each]) => [
      key,
      typeof each === 'string' ? (isReason(key, holder) ? recognise(each) : each) : translated(each, isReason, recognise),
    ]),
  )
}
