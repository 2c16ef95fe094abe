// Letters to people, by the mail server of the operator of the installation. Where there is none, or it fails, the link is for somebody to hand over.

import { setTimeout as delay } from 'node:timers/promises'
import { isLoopback } from '@roadworthy/service-kit/network/loopback'
import type { FastifyBaseLogger } from 'fastify'
import type { Transporter } from 'nodemailer'
import { mailRefusalOf } from '../people/mail-refusal.ts'
import { type Letter, linkTo, type MailOutcome, NO_MAIL_SERVER, type Notices, type Post } from '../people/post.ts'
import { NO_CHOICE, type Wording, wordingOf } from '../words/wording.ts'

/** Whose dashboard a person is asked to, and where it is. `baseUrl` never comes from a request: a forged `Host` would send the token away. */
export type Presentation = { readonly name: string; readonly baseUrl: string; readonly colour?: string | undefined }

export type MailServer = {
  /** `smtp://` or `smtps://`, with user and password where it wants them. */
  readonly url: string
  readonly from: string
}

export type PostDeps = {
  readonly mailServer: MailServer | undefined
  readonly present: (resellerId: string, subClientId: string | undefined) => Promise<Presentation>
  /** 0 to 1. */
  readonly random: () => number
  readonly log: Pick<FastifyBaseLogger, 'error'>
  readonly answerMs?: AnswerMs
}

/** How long a mail server may take for one reply. */
export type AnswerMs = { readonly letter: number; readonly notice: number }

const CONNECT_MS = 5_000
/** Somebody waits for what becomes of a letter. */
const LETTER_ANSWER_MS = 10_000
/**
 * Nobody waits for a notice. Filters look at a message before its last reply; who gives up on that sends again what was taken. RFC 5321 §4.5.3.2.6 asks for 10 minutes, which is more
 * than a server that hangs may hold up others.
 */
const NOTICE_ANSWER_MS = 120_000
const defaultAnswerMs: AnswerMs = { letter: LETTER_ANSWER_MS, notice: NOTICE_ANSWER_MS }
const ATTEMPTS = 2
/** Servers that turn away who comes a moment too early (greylisting) want minutes; this is for a connection that was lost. */
const RETRY_MS = 1_000

export function createPost({ mailServer, present, random, log, answerMs = defaultAnswerMs }: PostDeps): Post & Notices {
  const mail = mailServer === undefined ? undefined : createMail(mailServer, answerMs)
  const deliver = async (send: () => Promise<void>): Promise<MailOutcome> => {
    for (let attempt = 1; ; attempt++) {
      try {
        await send()
        return { outcome: 'sent' }
      } catch (error) {
        log.error({ err: error, attempt }, 'the mail server did not take a letter')
        const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
        // One that did not answer in time has perhaps taken it, and has had its time.
        if (attempt === ATTEMPTS || code === 'ETIMEDOUT' || Number(responseCode) >= 500) return mailRefusalOf(error)
        await delay(random() * RETRY_MS)
      }
    }
  }
  return {
    isMailing: mail !== undefined,
    send: async (letter) => {
      const { name, baseUrl } = await present(letter.resellerId, letter.subClientId)
      const url = linkTo(baseUrl, letter)
      if (mail === undefined) return { url, isMailed: false }
      const text = textOf(letter, name, url, await wordingOf({ ...NO_CHOICE, language: letter.language }))
      const { outcome } = await deliver(() => mail.letter(letter.email, name, text))
      return { url, isMailed: outcome === 'sent' }
    },
    notify: async ({ email, resellerId, subClientId, senderName, messageId, write }) => {
      if (mail === undefined) return { outcome: 'not_now', reason: NO_MAIL_SERVER }
      const { name, baseUrl, colour } = await present(resellerId, subClientId)
      return await deliver(() => mail.notice(email, senderName ?? name, { ...write(name, baseUrl, colour), messageId }))
    },
  }
}

type Text = {
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly messageId?: string
  readonly threadId?: string | undefined
  readonly unsubscribeUrl?: string | undefined
}

function transportOptions(url: string, answerMs: number) {
  const { protocol, username, hostname } = new URL(url)
  return {
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: answerMs,
    // A password goes over the network encrypted or not at all.
    requireTLS: protocol === 'smtp:' && username !== '' && hostname !== 'localhost' && !isLoopback(hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Connects and signs in as for a letter, and sends none. What was refused, in one line; undefined: nothing. */
export async function verifyMailServer(url: string): Promise<string | undefined> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(transportOptions(url, LETTER_ANSWER_MS))
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    return (error as Error).message.replace(/\s*\n\s*/g, ' ').replace(/\.$/, '')
  } finally {
    transport.close()
  }
}

type SendMail = (to: string, fromName: string, text: Text) => Promise<void>

function createMail(server: MailServer, answerMs: AnswerMs): Readonly<Record<keyof AnswerMs, SendMail>> {
  return { letter: createSendMail(server, answerMs.letter), notice: createSendMail(server, answerMs.notice) }
}

function createSendMail({ url, from }: MailServer, answerMs: number): SendMail {
  const options = transportOptions(url, answerMs)
  let transport: Transporter | undefined
  const idOf = (local: string) => `<${local}@${from.split('@').at(-1)}>`
  return async (to, fromName, { messageId, threadId, unsubscribeUrl, ...text }) => {
    // Loaded for the first letter: it costs the process 4 MB of heap.
    const { createTransport } = await import('nodemailer')
    transport ??= createTransport(options)
    const id = messageId === undefined ? {} : { messageId: idOf(messageId) }
    // As if each answered one that was never sent, so that no mail program has to have the first of them.
    const thread = threadId === undefined ? {} : { inReplyTo: idOf(threadId), references: idOf(threadId) }
    // Who is away need not answer (RFC 3834 §5). The page asks who it is, so it is not offered as one click (RFC 8058).
    const headers = {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl === undefined ? {} : { 'List-Unsubscribe': `<${unsubscribeUrl}>` }),
    }
    // As objects, so that nothing in an address or a name is read as a list of addresses.
    await transport.sendMail({ from: { name: fromName, address: from }, to: { name: '', address: to }, ...text, ...id, ...thread, headers })
  }
}

function textOf({ kind, expiresAt }: Letter, sender: string, url: string, { say, time }: Wording): Text {
  const until = say('letter.until', { time: time(expiresAt, 'UTC') })
  return {
    subject: say(`${kind}.subject`, { sender }),
    text: `${say(`${kind}.text`, { sender })}\n\n${url}\n\n${until}\n${say('letter.unasked')}\n`,
  }
}
