// What callers put into an address or a header, and what refusals quote of it, is stored and shown. Secrets end up there by mistake; what has the
// name of one, or looks like one, is replaced before it is stored.

const MASK = '***'
/**
 * Our own keys, secrets and tokens of trackers, those of payment gateways, JSON Web Tokens, and what is too long and too mixed to be a word or an id of ours.
 * The last two begin where a run of their characters begins, so that a long text that is neither is gone over once and not once from each character.
 */
const SECRET_TEXT =
  /rw_live_[0-9A-Za-z]+|rwt-[0-9a-z]{20,}|whsec_[\w+/=-]+|\b[rs]k_(live|test)_\w+|(?<![\w-])(?=[\w-]+\.[\w-])[\w-]*?eyJ[\w-]{8,}\.[\w-]+(\.[\w-]+)?|(?<![\w+])(?=[A-Za-z0-9+]*\d)(?=[A-Za-z0-9+]*[A-Za-z])[A-Za-z0-9+]{40,}={0,2}/g
const SECRET_NAME = /api[-_]?key|^key$|token|secret|passw|pwd|signature|^sig$|auth|credential|session|^code$/i
const MAX_VALUE_CHARACTERS = 100

/** Of a text that people wrote, or that quotes what they wrote. */
export function maskSecrets(text: string): string {
  return text.replace(SECRET_TEXT, MASK)
}

/** A path without its query. What is percent-encoded is judged as what it stands for. */
export function maskPath(path: string): string {
  return path.split('/').map(maskEncoded).join('/')
}

/** As it was sent, with the values masked of what is named like a secret or looks like one. Undefined where there is no query. */
export function maskQuery(query: string | undefined): string | undefined {
  if (query === undefined || query === '') return undefined
  return query.split('&').map(maskParameter).join('&')
}

function maskParameter(parameter: string): string {
  const [name = ''] = parameter.split('=', 1)
  if (name.length === parameter.length) return maskEncoded(name)
  const value = maskEncoded(parameter.slice(name.length + 1))
  if (SECRET_NAME.test(decoded(name))) return `${maskEncoded(name)}=${MASK}`
  return `${maskEncoded(name)}=${value.length > MAX_VALUE_CHARACTERS ? `${value.slice(0, MAX_VALUE_CHARACTERS)}…` : value}`
}

function maskEncoded(encoded: string): string {
  const plain = decoded(encoded)
  const masked = maskSecrets(plain)
  return masked === plain ? encoded : encodeURIComponent(masked)
}

/** What cannot be decoded is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
