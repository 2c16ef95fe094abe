import { ConfigurationError } from './errors.ts'

const LOOPBACK_HINT = 'for example https://fleet.example.com'

/** The address without a slash at its end. Anything that would only show later, as a 404 of every call, is refused here. */
export function checkAddress(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new ConfigurationError(`${name} must be an address, ${LOOPBACK_HINT}.`)
  let url: URL
  try {
    url = new URL(value)
  } catch {
    // Without the value: it may hold a password.
    throw new ConfigurationError(`${name} is no address: write it with http:// or https://, ${LOOPBACK_HINT}.`)
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new ConfigurationError(`${name} must begin with https:// or http://.`)
  if (url.username !== '' || url.password !== '') throw new ConfigurationError(`${name} must not hold a user or a password.`)
  if (url.search !== '' || url.hash !== '') throw new ConfigurationError(`${name} must not have a query or a fragment.`)
  const path = url.pathname.replace(/\/+$/, '')
  const known = /\/(api(\/external|\/v1|\/sim-billing)?|v[12])$/.exec(path)
  if (known !== null) throw new ConfigurationError(`${name} must end before ${known[0]}: the client adds that itself.`)
  return `${url.origin}${path}`
}

/** The path with its parameters in place. */
export function fillPath(template: string, values: readonly unknown[]): string {
  let i = 0
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(name, values[i++]))
}

/** An empty segment would be another route, and dots would leave it: URLs resolve them however they are encoded. */
function encodeSegment(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new ConfigurationError(`${name} must be a string, not ${value === null ? 'null' : typeof value}.`)
  if (value === '' || value === '.' || value === '..')
    throw new ConfigurationError(`${name} must not be ${value === '' ? 'empty' : `"${value}"`}.`)
  try {
    return encodeURIComponent(value)
  } catch {
    throw new ConfigurationError(`${name} has half of a surrogate pair, which no text has.`)
  }
}

/** With a question mark, or empty. What is undefined or null is left out. */
export function queryString(query: Readonly<Record<string, unknown>> | undefined): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) parameters.append(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
