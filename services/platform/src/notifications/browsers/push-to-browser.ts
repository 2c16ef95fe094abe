// A message to one browser of a person. https://w3c.github.io/push-api/; `push-worker.js` of the dashboard shows it.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Sending } from '../../webhooks/send-webhook.ts'
import { bounded } from '../../words/one-line.ts'
import { endingOf } from '../channels/channel-answer.ts'
import { charactersOf, sectionLines, wholeLines } from '../channels/channel-forms.ts'
import type { Message, Sender } from '../message.ts'
import type { Notification } from '../notification.ts'
import type { Ending } from '../notifications.sql.ts'
import { type ChannelExits, lastOfTest } from '../send-notification.ts'
import { openPushTarget, type PushSubscription, type PushTarget } from './push-subscription.ts'
import { deletePushSubscription } from './push-subscriptions.sql.ts'
import { encryptForBrowser, type Vapid } from './web-push.ts'

/** Assumption: who opens the browser after a day looks at the dashboard. */
const KEPT_BY_SERVICE_S = 86_400
const MAX_TITLE_CHARACTERS = 150
/** Of up to 3 bytes in UTF-8 each, which leaves room for the rest within 3,993 bytes. */
const MAX_BODY_CHARACTERS = 900
/** RFC 8030 §7.3: the push service forgets the browser. */
const GONE_STATUSES: readonly number[] = [404, 410]

export async function pushTo(
  { sealer, vapid, post }: ChannelExits,
  db: Db,
  resellerId: string,
  { subscriptionId, targetSealed }: PushSubscription,
  notification: Notification,
  { message, sender }: { readonly message: Message; readonly sender: Sender },
  at: Date,
): Promise<Ending> {
  const target = openPushTarget(sealer, { resellerId, subscriptionId }, targetSealed)
  const result = await post(pushRequestOf(vapid, target, notification, { message, sender }, at))
  if (GONE_STATUSES.includes(result.answer?.status ?? 0)) {
    await deletePushSubscription(db, resellerId, subscriptionId)
    return { status: 'failed', error: 'The browser takes no more messages, and was removed. Allow them again in it.', at }
  }
  return lastOfTest(notification, endingOf('web_push', result, { count: notification.attemptCount + 1, at }))
}

function pushRequestOf(
  vapid: Vapid,
  target: PushTarget,
  notification: Notification,
  { message, sender }: { readonly message: Message; readonly sender: Sender },
  at: Date,
): Sending {
  const { endpoint } = target
  const { severity } = message
  const payload = Buffer.from(JSON.stringify(payloadOf(message, notification)))
  return {
    url: endpoint,
    body: encryptForBrowser(payload, target),
    headers: {
      authorization: vapid.authorizationOf(endpoint, sender.baseUrl, at),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(KEPT_BY_SERVICE_S),
      urgency: severity === 'critical' || severity === 'high' ? 'high' : 'normal',
      // RFC 8030 §5.4: of messages that wait for the browser, a later one about the same replaces the earlier.
      topic: topicOf(notification),
    },
  }
}

/** What the worker shows. The address is without a host: a browser opens the dashboard that it was allowed in. */
function payloadOf(message: Message, notification: Notification): object {
  const { subject, rows, findings, link, why } = message
  const facts = [...rows.map(([name, value]) => `${name}: ${value}`), why]
  const lines = [...findings, ...sectionLines(message, MAX_BODY_CHARACTERS - charactersOf(facts)), ...facts]
  const { pathname, search } = new URL(link?.url ?? 'https://localhost/')
  return {
    id: notification.notificationId,
    topic: topicOf(notification),
    title: bounded(subject, MAX_TITLE_CHARACTERS),
    body: wholeLines(
      lines.map((line) => bounded(line, MAX_BODY_CHARACTERS / 3)),
      MAX_BODY_CHARACTERS,
    ),
    path: `${pathname}${search}`,
  }
}

function topicOf({ incidentId, notificationId }: Notification): string {
  return incidentId ?? notificationId
}
