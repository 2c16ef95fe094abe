// The cookie that carries a session, and the rule that keeps other sites from using it.

import type { IncomingHttpHeaders } from 'node:http'

const NAME = 'rw_session'

/** 32 random bytes in base64url. */
const TOKEN_FORM = /^[\w-]{43}$/

/** The token in a `Cookie` header. Two cookies of the name are none: a neighbouring host may have planted one of them. */
export function sessionTokenOf(cookieHeader: string | undefined): string | undefined {
  const values = (cookieHeader ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${NAME}=`))
    .map((pair) => pair.slice(NAME.length + 1))
  const [token, ...others] = values
  return token !== undefined && others.length === 0 && TOKEN_FORM.test(token) ? token : undefined
}

/** Scripts cannot read it, no other site can have it sent. With `token` undefined the browser drops what it has. */
export function setCookieOf(token: string | undefined, options: { isSecure: boolean; maxAgeS: number }): string {
  const maxAgeS = token === undefined ? 0 : options.maxAgeS
  const secure = options.isSecure ? '; Secure' : ''
  return `${NAME}=${token ?? ''}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeS}${secure}`
}

/**
 * Whether a request that changes something comes from our own pages. Browsers say so in one of two headers, which scripts cannot forge; a
 * request with neither comes from no browser, and then its sender has the token itself.
 */
export function isSameOrigin({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, host: string): boolean {
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && origin === undefined)
  return origin === undefined || hostOf(origin) === host
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
