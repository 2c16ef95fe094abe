// Where who finds a weakness reports it (RFC 9116). Whom that reaches is for the operator to set: without a contact there is no such file.

import type { App } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'

/** RFC 9116 §2.5.5 advises less than a year. The contact is a setting of the running service, so it is as fresh as the answer. */
const GOOD_FOR_MS = 180 * 86_400_000

export type SecurityTxtDeps = {
  readonly securityContact?: string | undefined
  readonly baseUrl?: string | undefined
  readonly now: () => Date
}

export function serveSecurityTxt(app: App, { securityContact, baseUrl, now }: SecurityTxtDeps): void {
  app.get('/.well-known/security.txt', { config: { public: true }, schema: { hide: true } }, async (_request, reply) => {
    if (securityContact === undefined) throw new Problem('not_found', 'The operator has named no contact (SECURITY_CONTACT).')
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${new Date(now().getTime() + GOOD_FOR_MS).toISOString()}`,
      'Preferred-Languages: en',
      ...(baseUrl === undefined ? [] : [`Canonical: ${baseUrl.replace(/\/$/, '')}/.well-known/security.txt`]),
    ]
    return reply.header('content-type', 'text/plain; charset=utf-8').send(`${lines.join('\r\n')}\r\n`)
  })
}
