import { ConfigurationError } from './errors.ts'

/** Undefined of what JSON leaves out. `JSON.stringify` alone writes `null` for a number that is none and for a date that is none: the service would miss it. */
export function writeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, refuseUnwritable)
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    // Without the words of the error: those of a `toJSON` may hold anything.
    throw new ConfigurationError('The body cannot be written as JSON: it holds itself or a bigint, or is nested too deeply.')
  }
}

function refuseUnwritable(this: unknown, name: string, value: unknown): unknown {
  const isNoNumber = typeof value === 'number' && !Number.isFinite(value)
  const isNoDate = value === null && (this as Readonly<Record<string, unknown>>)[name] instanceof Date
  if (!isNoNumber && !isNoDate) return value
  throw new ConfigurationError(`The body cannot be written as JSON: ${name || 'it'} is ${isNoDate ? 'an invalid date' : String(value)}.`)
}
