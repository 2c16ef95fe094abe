// For tests only: the services behind channels as they answer, on loopback. They keep what they took, refuse what theirs would refuse, and fail on demand.

import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { answerWith, type Received, type Reply, startReceiver } from '../../webhooks/test-receiver.ts'

export type ChannelService = {
  readonly url: string
  readonly origin: string
  /** What it took, as people or programs would see it. */
  readonly taken: { readonly body: Record<string, unknown>; readonly received: Received }[]
  /** How often it was asked. */
  asked(): number
  /** How the next requests are answered, one each; a fault that takes the message keeps it. */
  failNext(...faults: Fault[]): void
}
export type Fault = { readonly reply: Reply; readonly isTaken?: boolean }

export const answer = (status: number, headers: Record<string, string> = {}, body = ''): Fault => ({
  reply: answerWith(status, headers, body),
})
/** The message is there, and the answer is lost. */
export const LOST_ANSWER: Fault = { reply: (response) => void response.destroy(), isTaken: true }
export const HANGS: Fault = { reply: () => undefined, isTaken: true }

/** Answers why it is refused. */
type Check = (body: Record<string, unknown>, received: Received) => Fault | undefined

async function startService(t: CleanUp, success: Reply, check: Check): Promise<ChannelService> {
  const taken: ChannelService['taken'][number][] = []
  const faults: Fault[] = []
  const receiver = await startReceiver(t, (response, received, nth) => {
    const body = JSON.parse(received.body) as Record<string, unknown>
    const fault = faults.shift() ?? check(body, received)
    if (fault === undefined || fault.isTaken === true) taken.push({ body, received })
    ;(fault?.reply ?? success)(response, received, nth)
  })
  return {
    ...{ url: receiver.url, origin: new URL(receiver.url).origin, taken },
    asked: () => receiver.received.length,
    failNext: (...next) => void faults.push(...next),
  }
}

type Block = { type: string; text?: { type: string; text: string } }

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks, with the limits of its blocks. */
export const startSlack = async (t: CleanUp) =>
  await startService(t, answerWith(200, {}, 'ok'), ({ text, blocks }) => {
    const isWhole = typeof text === 'string' && text !== ''
    const isWithin = ((blocks ?? []) as Block[]).every(
      ({ type, text: said }) => (said?.text.length ?? 1) > 0 && (said?.text.length ?? 0) <= (type === 'header' ? 150 : 3_000),
    )
    return isWhole && isWithin ? undefined : answer(400, {}, 'invalid_blocks')
  })

/** Of the Workflows app: it answers before the card is posted. */
export const startTeams = async (t: CleanUp) =>
  await startService(t, answerWith(202), ({ type, attachments }) => {
    const [card] = (attachments ?? []) as { contentType?: string; content?: { type?: string; version?: string; body?: unknown[] } }[]
    const isCard = card?.contentType === 'application/vnd.microsoft.card.adaptive' && card.content?.type === 'AdaptiveCard'
    return type === 'message' && isCard && (card?.content?.body?.length ?? 0) > 0 ? undefined : answer(400, {}, 'Bad payload')
  })

export const BOT_TOKEN = '123456789:AAExampleExampleExampleExample'

/** https://core.telegram.org/bots/api#making-requests */
export const startTelegram = async (t: CleanUp) =>
  await startService(
    t,
    answerWith(200, {}, '{"ok":true,"result":{"message_id":1}}'),
    ({ chat_id: chatId, text, reply_markup: markup }, { path }) => {
      const refused = (status: number, description: string) =>
        answer(status, {}, JSON.stringify({ ok: false, error_code: status, description }))
      if (path !== `/bot${BOT_TOKEN}/sendMessage`) return refused(401, 'Unauthorized')
      if (chatId !== '-100200') return refused(400, 'Bad Request: chat not found')
      const buttons = (markup as { inline_keyboard: { url: string }[][] } | undefined)?.inline_keyboard.flat() ?? []
      if (!buttons.every(({ url }) => new URL(url).hostname.includes('.'))) return refused(400, 'Bad Request: BUTTON_URL_INVALID')
      const isWhole = typeof text === 'string' && text !== '' && text.length <= 4_096
      return isWhole && !hasOpenTag(text) ? undefined : refused(400, "Bad Request: can't parse entities")
    },
  )

/** https://docs.ntfy.sh/publish/#publish-as-json */
export const startNtfy = async (t: CleanUp) =>
  await startService(t, answerWith(200, {}, '{"id":"x","event":"message"}'), ({ topic, message }, { headers, path }) => {
    if (headers.authorization !== 'Bearer tk_example') return answer(403, {}, '{"code":40301,"http":403,"error":"forbidden"}')
    const isWhole = path === '/' && typeof topic === 'string' && Buffer.byteLength(String(message)) <= 4_096
    return isWhole ? undefined : answer(400, {}, '{"code":40009,"http":400,"error":"invalid request"}')
  })

/** A program that takes whatever is signed for it; the test looks at the signature. */
export const startProgram = async (t: CleanUp) => await startService(t, answerWith(204), () => undefined)

function hasOpenTag(html: string): boolean {
  const opened = html.match(/<(b|i)>/g)?.length ?? 0
  return opened !== (html.match(/<\/(b|i)>/g)?.length ?? 0) || /<(?!\/?[bi]>)/.test(html)
}
