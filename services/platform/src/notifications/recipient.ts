// Who a message goes to, and by which way: a person by mail and in their browsers, a team by its channel. Looked up when it is sent, because either may be gone by then.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { NO_MAIL_SERVER } from '../people/post.ts'
import { selectUser } from '../people/users.sql.ts'
import { wordingOf } from '../words/wording.ts'
import { mayAcknowledge } from './acknowledgements/acknowledge.ts'
import { selectPushSubscription } from './browsers/push-subscriptions.sql.ts'
import { pushTo } from './browsers/push-to-browser.ts'
import { isChannelId } from './channels/channel.ts'
import { selectChannel } from './channels/channels.sql.ts'
import type { Message } from './message.ts'
import type { Notification } from './notification.ts'
import type { Ending } from './notifications.sql.ts'
import { isAudience, isOf, mailTo, postTo, type SendDeps, type Write } from './send-notification.ts'

const NO_AUDIENCE = 'The recipient cannot sign in, or does not see the incident.'

export type Recipient = {
  /** Whether the message carries a link that acknowledges in their name. */
  readonly mayAcknowledge: boolean
  readonly send: (write: Write) => Promise<Ending>
}

/** Or why nothing is sent. `of` is whose the incident is. */
export async function recipientOf(
  db: Db,
  { notices, exits }: Pick<SendDeps, 'notices' | 'exits'>,
  { resellerId, subClientId }: { readonly resellerId: string; readonly subClientId: string | undefined },
  notification: Notification,
  at: Date,
): Promise<Recipient | string> {
  const { recipient } = notification
  if (isChannelId(recipient)) {
    const channel = await selectChannel(db, { resellerId, subClientPin: undefined }, recipient)
    if (channel === undefined) return 'The channel was deleted.'
    if (!isOf(channel, subClientId)) return 'The channel is of another sub-client than the incident.'
    const sender = await exits.present(resellerId, channel.subClientId)
    const wording = await wordingOf(channel)
    return { mayAcknowledge: false, send: (write) => postTo(exits, resellerId, channel, notification, write(sender, wording), at) }
  }
  if (notification.userId !== undefined) {
    const subscription = await selectPushSubscription(db, resellerId, recipient)
    const user = await selectUser(db, resellerId, notification.userId, undefined)
    if (subscription === undefined) return 'The browser was removed.'
    if (!isAudience(user, subClientId)) return NO_AUDIENCE
    const sender = await exits.present(resellerId, user.subClientId)
    const wording = await wordingOf(user)
    const pushed = (message: Message) => pushTo(exits, db, resellerId, subscription, notification, { message, sender }, at)
    return { mayAcknowledge: false, send: (write) => pushed(write(sender, wording)) }
  }
  if (!notices.isMailing) return NO_MAIL_SERVER
  const user = await selectUser(db, resellerId, recipient, undefined)
  if (!isAudience(user, subClientId)) return NO_AUDIENCE
  const wording = await wordingOf(user)
  const mailed = (write: Write) => mailTo(notices, resellerId, user, notification, (sender) => write(sender, wording), at)
  return { mayAcknowledge: mayAcknowledge(user), send: mailed }
}
