// What a person does with their browsers. Those of others do not exist.

import { type CreatePushSubscription, MAX_PUSH_SUBSCRIPTIONS } from '@roadworthy/contracts/platform-v1/push-subscriptions'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { type Database, type Db, isUniqueViolation } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { type Origin, writeAudit } from '../../audit/audit.ts'
import { selectUser } from '../../people/users.sql.ts'
import type { TargetGuard } from '../../webhooks/target-guard.ts'
import { NO_CHOICE, wordingOf } from '../../words/wording.ts'
import { checkedName, checkTargetUrl, refusal } from '../given-fields.ts'
import { testMessage } from '../message.ts'
import type { Notification } from '../notification.ts'
import type { ChannelExits } from '../send-notification.ts'
import { authorOfPerson, type Person } from '../signed-in.ts'
import { tryRecipient } from '../try-recipient.ts'
import { endpointSha256Of, type PushSubscription, sealPushTarget } from './push-subscription.ts'
import {
  deletePushSubscription,
  deletePushSubscriptionsByEndpointAcrossResellers,
  insertPushSubscription,
  lockPushSubscriptions,
  selectPushSubscription,
} from './push-subscriptions.sql.ts'
import { pushTo } from './push-to-browser.ts'
import { areBrowserKeys } from './web-push.ts'

export type PushSubscriptionDeps = { readonly database: Database; readonly exits: ChannelExits; readonly guard: TargetGuard }

/** Given again, it is a new one: a browser belongs to who allowed it last. */
export async function addPushSubscription(
  { database, exits, guard }: PushSubscriptionDeps,
  { resellerId, userId, subClientId }: Person,
  { endpoint, keys, name }: CreatePushSubscription,
  origin: Origin,
): Promise<PushSubscription> {
  if (!areBrowserKeys(keys)) throw refusal('keys/p256dh', 'These are no keys of a browser.')
  // Whoever gives the address is anybody who can sign in: it is held to what webhooks are.
  await checkTargetUrl(guard, endpoint, 'endpoint')
  const at = await database.now()
  const subscriptionId = newId('psh')
  const subscription: PushSubscription = {
    ...{ subscriptionId, userId, name: checkedName(name), host: new URL(endpoint).hostname, endpointSha256: endpointSha256Of(endpoint) },
    targetSealed: sealPushTarget(exits.sealer, { resellerId, subscriptionId }, { endpoint, p256dh: keys.p256dh, auth: keys.auth }),
    createdAt: at,
  }
  await deletePushSubscriptionsByEndpointAcrossResellers(database.systemPool, subscription.endpointSha256)
  await database.tenant(resellerId, async (db) => {
    if ((await lockPushSubscriptions(db, resellerId, userId)).length >= MAX_PUSH_SUBSCRIPTIONS) {
      throw new Problem('conflict', `You have ${MAX_PUSH_SUBSCRIPTIONS} browsers already, which is the most; remove one first.`, {
        details: { limit: MAX_PUSH_SUBSCRIPTIONS },
      })
    }
    await unlessTaken(() => insertPushSubscription(db, resellerId, subscription))
    const after = { name: subscription.name, host: subscription.host }
    await writeAudit(db, authorOfPerson({ resellerId, userId }, at, origin), {
      ...{ action: 'push_subscription.created', objectId: subscriptionId, subClientId, after },
    })
  })
  return subscription
}

async function unlessTaken(insert: () => Promise<void>): Promise<void> {
  try {
    await insert()
  } catch (error) {
    if (!isUniqueViolation(error, 'push_subscriptions_endpoint_key')) throw error
    throw new Problem('conflict', 'The browser was allowed by somebody else at the same moment; try again.')
  }
}

export async function removePushSubscription(database: Database, person: Person, subscriptionId: string, origin: Origin): Promise<void> {
  const { resellerId, subClientId } = person
  const at = await database.now()
  await database.tenant(resellerId, async (db) => {
    const { name, host } = await requirePushSubscription(db, person, subscriptionId)
    await deletePushSubscription(db, resellerId, subscriptionId)
    await writeAudit(db, authorOfPerson(person, at, origin), {
      ...{ action: 'push_subscription.deleted', objectId: subscriptionId, subClientId, before: { name, host } },
    })
  })
}

export async function tryPushSubscription(
  { database, exits }: PushSubscriptionDeps,
  person: Person,
  subscriptionId: string,
  origin: Origin,
): Promise<Notification> {
  const { resellerId, userId, subClientId } = person
  const author = authorOfPerson(person, await database.now(), origin)
  return await tryRecipient(database, author, {
    ...{ recipient: subscriptionId, action: 'push_subscription.tested' },
    require: (db) => requirePushSubscription(db, person, subscriptionId),
    of: () => ({ subClientId, userId }),
    send: async (subscription, test) => {
      const sender = await exits.present(resellerId, subClientId)
      const db = database.tenantPool(resellerId)
      const user = await selectUser(db, resellerId, userId, undefined)
      const message = testMessage({ what: 'browser', name: subscription.name }, sender, await wordingOf(user ?? NO_CHOICE))
      return await pushTo(exits, db, resellerId, subscription, test, { message, sender }, author.at)
    },
  })
}

async function requirePushSubscription(db: Db, { resellerId, userId }: Person, subscriptionId: string): Promise<PushSubscription> {
  const hasForm = /^psh-[a-z0-9]{1,40}$/.test(subscriptionId)
  const subscription = hasForm ? await selectPushSubscription(db, resellerId, subscriptionId, 'locked') : undefined
  if (subscription?.userId !== userId) throw noSuchBrowser()
  return subscription
}

export function noSuchBrowser(): Problem {
  return new Problem('not_found', 'You have no such browser.')
}
