import type { IncomingHttpHeaders } from 'node:http'

/** Spec gap §5.4: both headers work on both surfaces. Two that differ are no credential at all: it is not for us to choose. */
export function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  const { authorization, 'x-api-key': apiKey } = headers
  if (authorization === undefined) return typeof apiKey === 'string' ? apiKey : undefined
  const bearer = bearerOf(authorization)
  return apiKey === undefined || apiKey === bearer ? bearer : undefined
}

export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization !== undefined && /^bearer( |$)/i.test(authorization) ? authorization.slice(7).trim() : undefined
}
