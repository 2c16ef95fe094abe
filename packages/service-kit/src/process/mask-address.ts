// Addresses of settings as they are shown: to operators, in refusals of a start, and in what is passed on to others who help.

const HIDDEN = '***'
const SECRET_PARAMETER = /pass|secret|token|key|credential|signature/i
/** What `user:password@` may be in. */
const WITH_AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\//i
/** Of one that is no address, for a `#` in its password or a port beyond 65535. */
const PASSWORD = /^([^:]*:\/\/[^:@/]*:).*@/s
const PARAMETER = /([?&][^=&]*(?:pass|secret|token|key|credential|signature)[^=&]*=)[^&]*/gi

/** An address without its password; anything else only as set. */
export function maskSecret(text: string): string {
  return WITH_AUTHORITY.test(text) && URL.canParse(text) ? maskAddress(text) : '(set)'
}

/** Passwords in addresses, and parameters of them that are named like secrets. Text that holds no address is returned as it is. */
export function maskAddress(text: string): string {
  if (!WITH_AUTHORITY.test(text)) return text
  if (!URL.canParse(text)) return text.replace(PASSWORD, `$1${HIDDEN}@`).replaceAll(PARAMETER, `$1${HIDDEN}`)
  const url = new URL(text)
  const named = [...url.searchParams.keys()].filter((name) => SECRET_PARAMETER.test(name))
  if (url.password === '' && named.length === 0) return text
  if (url.password !== '') url.password = HIDDEN
  for (const name of named) url.searchParams.set(name, HIDDEN)
  return url.href
}
