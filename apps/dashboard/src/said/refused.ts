// Answers that refuse something, and answers that hold why something was refused before: in the words of the person, where those are loaded.

type Recogniser = (text: string) => string

let loadRefusals: (() => Promise<Recogniser>) | undefined

/** For who reads another language than the service refuses in. */
export function setRefusals(load: (() => Promise<Recogniser>) | undefined): void {
  loadRefusals = load
}

/** Each `message` in it is translated; one that no phrase knows stays as it came. */
export async function withRefusals<T>(answer: T): Promise<T> {
  if (loadRefusals === undefined || !holdsMessage(answer)) return answer
  try {
    return translated(answer, await loadRefusals()) as T
  } catch (error) {
    console.warn('The refusals of the service could not be translated.', error)
    return answer
  }
}

function holdsMessage(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsMessage)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, each]) => (key === 'message' && typeof each === 'string') || holdsMessage(each))
}

function translated(value: unknown, recognise: Recogniser): unknown {
  if (Array.isArray(value)) return value.map((each) => translated(each, recognise))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === 'message' && typeof each === 'string' ? recognise(each) : translated(each, recognise),
    ]),
  )
}
