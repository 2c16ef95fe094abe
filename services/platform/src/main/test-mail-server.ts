// For tests only: a real SMTP server on loopback that keeps what it is sent.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { SMTPServer } from 'smtp-server'

export type ReceivedMail = { readonly from: string; readonly to: readonly string[]; readonly text: string }

/** `refusal`: with which code the attempt to leave a mail is refused, the first being 1; `undefined`: it is taken. */
export async function startMailServer(
  t: CleanUp,
  refusal?: (attempt: number, mail: ReceivedMail) => number | undefined,
): Promise<{ readonly url: string; readonly received: readonly ReceivedMail[] }> {
  const received: ReceivedMail[] = []
  let attempts = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        const mail = { from, to: rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString('utf8') }
        const code = refusal?.(++attempts, mail)
        if (code !== undefined) return done(Object.assign(new Error('not now'), { responseCode: code }))
        received.push(mail)
        done()
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => new Promise<void>((resolve) => server.close(resolve)))
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, received }
}
