import type { Author } from '../../audit/audit.ts'
import type { Caller } from '../../keys/caller.ts'
import { wordingOf } from '../../words/wording.ts'
import { testMessage } from '../message.ts'
import type { Notification } from '../notification.ts'
import { postTo, type SendDeps } from '../send-notification.ts'
import { tryRecipient } from '../try-recipient.ts'
import { requireChannel } from './manage-channels.ts'

export async function tryChannel(
  { database, exits }: Pick<SendDeps, 'database' | 'exits'>,
  caller: Caller,
  channelId: string,
  author: Author,
): Promise<Notification> {
  const { resellerId } = caller
  return await tryRecipient(database, author, {
    ...{ recipient: channelId, action: 'notification_channel.tested' },
    require: (db) => requireChannel(db, caller, channelId, 'locked'),
    of: ({ subClientId }) => ({ subClientId }),
    send: async (channel, test) => {
      const sender = await exits.present(resellerId, channel.subClientId)
      const message = testMessage({ what: 'channel', name: channel.name }, sender, await wordingOf(channel))
      return await postTo(exits, resellerId, channel, test, message, author.at)
    },
  })
}
