// What an error of the mail client means for a message: refused for good, or not taken now, and why in one line. Pure. People of resellers read the
// reason: it quotes what the server answered to their message, and nothing of where the server is or of the account by which the service signs in.

import { bounded, oneLine } from '../words/one-line.ts'

export type MailRefusal = { readonly outcome: 'refused' | 'not_now'; readonly reason: string }

/** Fields of the errors of nodemailer. `response` is the reply of the server, of several lines where it has them. */
type MailError = {
  readonly code?: string
  readonly originalCode?: string
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
}

/** Replies to these are about the message. Those to others are about the service, and somebody may mend that before the next attempt. */
const ABOUT_THE_MESSAGE: readonly (string | undefined)[] = ['RCPT TO', 'DATA']
/** Refused for good (RFC 5321 §4.2.1). */
const LEAST_PERMANENT_REPLY = 500
const MAX_QUOTED_CHARACTERS = 300

export function mailRefusalOf(error: unknown): MailRefusal {
  const { command, response, responseCode } = error as MailError
  const isAboutMessage = ABOUT_THE_MESSAGE.includes(command)
  if (response === undefined || responseCode === undefined || !(isAboutMessage || command === 'MAIL FROM')) {
    return { outcome: 'not_now', reason: connectionReason(error as MailError) }
  }
  const quoted = quotedOf(response)
  const reason = quoted === '' ? `The mail server answered ${responseCode}.` : `The mail server answered ${responseCode}: ${quoted}.`
  return { outcome: isAboutMessage && responseCode >= LEAST_PERMANENT_REPLY ? 'refused' : 'not_now', reason }
}

function connectionReason({ code, originalCode, responseCode }: MailError): string {
  if (code === 'EAUTH') return accountReason(responseCode)
  if (code === 'ETIMEDOUT' || originalCode === 'ETIMEDOUT') return 'The mail server did not answer in time.'
  if (code === 'EDNS' || isUnreachable(originalCode)) return 'The mail server cannot be reached.'
  if (code === 'ECONNECTION' || originalCode === 'ECONNRESET' || originalCode === 'EPIPE')
    return 'The connection to the mail server was cut.'
  // What is left of a socket are the codes of OpenSSL.
  if (code === 'ETLS' || code === 'ESOCKET') return 'The connection to the mail server cannot be secured with TLS.'
  return 'The mail server did not take the message.'
}

/** Nothing is wrong with an account that the server cannot look at (454, RFC 4954 §6), or not that often (421). */
function accountReason(responseCode: number | undefined): string {
  const isForNow = responseCode !== undefined && responseCode < LEAST_PERMANENT_REPLY
  return isForNow ? 'The mail server cannot check the account of the service now.' : 'The mail server refuses the account of the service.'
}

function isUnreachable(code: string | undefined): boolean {
  return code !== undefined && ['ECONNREFUSED', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH'].includes(code)
}

/** Each line begins with the code, and often with the same enhanced code (RFC 3463), which is kept once. */
function quotedOf(response: string): string {
  const [first = '', ...others] = response.split('\n').map((line) => line.replace(/^\d{3}[ -]?/, ''))
  const enhanced = /^\d\.\d{1,3}\.\d{1,3} /.exec(first)?.[0] ?? ''
  const lines = [first, ...others.map((line) => (enhanced !== '' && line.startsWith(enhanced) ? line.slice(enhanced.length) : line))]
  return bounded(withoutTokens(oneLine(lines.join(' '))), MAX_QUOTED_CHARACTERS).replace(/\.$/, '')
}

/** A filter may quote a link of the message. The 256 bits in it, as base64url, let in who reads them. */
function withoutTokens(text: string): string {
  return text.replace(/(?<![\w-])[\w-]{43}(?![\w-])/g, '***')
}
