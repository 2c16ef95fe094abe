// The cookie that carries a session, and the rule that keeps other sites from using it.

import type { IncomingHttpHeaders } from 'node:http'

/** What the rules look at; a `FastifyRequest` is one. `host` is with its port where it is not the scheme's own. */
export type CookieRequest = { readonly headers: IncomingHttpHeaders; readonly host: string; readonly protocol: string }

/**
 * Over https the name promises what the browser then enforces (RFC 6265bis §4.1.3.2): set by this host, for this host alone, over https.
 * A neighbouring host can plant no cookie of this name.
 */
const SECURE_NAME = '__Host-rw_session'
const PLAIN_NAME = 'rw_session'

/** 32 random bytes in base64url. */
const TOKEN_FORM = /^[\w-]{43}$/

function cookieName({ protocol }: Pick<CookieRequest, 'protocol'>): string {
  return protocol === 'https' ? SECURE_NAME : PLAIN_NAME
}

/** The token in a `Cookie` header. Two cookies of the name are none: a neighbouring host may have planted one of them. */
export function sessionTokenOf(request: Pick<CookieRequest, 'headers' | 'protocol'>): string | undefined {
  const name = cookieName(request)
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  const [token, ...others] = values
  return token !== undefined && others.length === 0 && TOKEN_FORM.test(token) ? token : undefined
}

/** Scripts cannot read it, no other site can have it sent. With `token` undefined the browser drops what it has. */
export function setCookieOf(token: string | undefined, request: Pick<CookieRequest, 'protocol'>, maxAgeS: number): string {
  const secure = request.protocol === 'https' ? '; Secure' : ''
  return `${cookieName(request)}=${token ?? ''}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${token === undefined ? 0 : maxAgeS}${secure}`
}

/** By which a browser is known at the next sign-in; no credential. It outlives the session. */
const BROWSER_COOKIE_MAX_AGE_S = 90 * 86_400

function browserCookieName({ protocol }: Pick<CookieRequest, 'protocol'>): string {
  return protocol === 'https' ? '__Host-rw_browser' : 'rw_browser'
}

export function browserTokenOf(request: Pick<CookieRequest, 'headers' | 'protocol'>): string | undefined {
  const start = `${browserCookieName(request)}=`
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
}

export function setBrowserCookieOf(token: string, request: Pick<CookieRequest, 'protocol'>): string {
  const secure = request.protocol === 'https' ? '; Secure' : ''
  return `${browserCookieName(request)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${BROWSER_COOKIE_MAX_AGE_S}${secure}`
}

/**
 * Whether a request that changes something comes from our own pages. Every browser states it in at least one of two headers, which scripts
 * cannot set. `Sec-Fetch-Site` decides where it is sent: `same-origin`, or `none` from the address bar; a neighbouring host or another port
 * is `same-site` and refused. Else `Origin` must name this very host and port, and not http where this is https; `null` names nothing. A
 * request with neither comes from no browser, and then its sender has the token itself.
 */
export function isSameOrigin({ headers: { origin, 'sec-fetch-site': site }, host, protocol }: CookieRequest): boolean {
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && origin === undefined)
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const from = new URL(origin)
  // What ends TLS before us makes https look like http here, never the other way round.
  return from.host === hostOf(host, from.protocol) && (from.protocol === 'https:' || (from.protocol === 'http:' && protocol === 'http'))
}

/**
 * Whether a request claims that a page of ours sent it. Browsers name the site over https and to this machine; over plain http the
 * page's address comes as `Referer`. A program can claim so too, so nothing but the counting of calls goes by it.
 */
export function isFromOwnPage({ headers, host }: CookieRequest): boolean {
  const { 'sec-fetch-site': site, origin, referer } = headers
  if (site !== undefined) return site === 'same-origin'
  const from = origin ?? referer
  if (from === undefined || !URL.canParse(from)) return false
  return new URL(from).host === hostOf(host, new URL(from).protocol)
}

/** A `Host` header as `URL.host` writes it: in lower case, without the port that is the scheme's own. */
function hostOf(host: string, scheme: string): string | undefined {
  const address = `${scheme}//${host}`
  return URL.canParse(address) ? new URL(address).host : undefined
}
