// What Mosquitto reads: its password file, its access list, and the configuration of its dynamic-security plugin.

import { mqttUsername } from '../../../devices/mqtt-identity.ts'
import { type Sender, topicsOf } from '../mqtt-embedded/topics.ts'

/** Somebody whom the broker lets in. `passwordHash` is `$7$<iterations>$<salt>$<key>`, PBKDF2 with SHA-512. */
export type Account = { readonly username: string; readonly passwordHash: string }
export type DeviceAccount = Sender & { readonly passwordHash: string }

type Rule = { readonly acltype: string; readonly topic: string; readonly allow: boolean }
type Role = { readonly rolename: string; readonly acls: readonly Rule[] }

/** Rules per user, as `%u` cannot spell our topics: the username is `<reseller>/<device>`, and the topic has a level between the two. */
const DYNAMIC_SECURITY_TOPICS = '$CONTROL/dynamic-security/#'

export function passwordLine({ username, passwordHash }: Account): string {
  return `${username}:${passwordHash}\n`
}

export function deviceAccessRules(topicPrefix: string, sender: Sender): string {
  const { telemetry, commands, errors } = topicsOf(topicPrefix, sender)
  return `user ${mqttUsername(sender.resellerId, sender.deviceId)}\ntopic write ${telemetry}\ntopic read ${commands}\ntopic read ${errors}\n\n`
}

export function platformAccessRules(topicPrefix: string, username: string): string {
  const device = `${topicPrefix}/+/devices/+`
  return `user ${username}\ntopic read ${device}/telemetry\ntopic write ${device}/commands\ntopic write ${device}/errors\n\n`
}

/** Named as its one user. */
export function deviceRole(topicPrefix: string, sender: Sender): Role {
  const { telemetry, commands, errors } = topicsOf(topicPrefix, sender)
  return {
    rolename: mqttUsername(sender.resellerId, sender.deviceId),
    acls: [
      { acltype: 'publishClientSend', topic: telemetry, allow: true },
      ...[commands, errors].flatMap((topic) =>
        ['subscribeLiteral', 'publishClientReceive'].map((acltype) => ({ acltype, topic, allow: true })),
      ),
    ],
  }
}

/** A whole configuration of the plugin: the platform may do what it needs and administer, each device what is its own, nobody else anything. */
export function dynamicSecurityConfiguration(topicPrefix: string, platform: Account, devices: readonly DeviceAccount[]): object {
  const device = `${topicPrefix}/+/devices/+`
  const may = (acltype: string, topic: string) => ({ acltype, topic, allow: true })
  const platformRole = {
    rolename: platform.username,
    acls: [
      ...[`${device}/telemetry`, DYNAMIC_SECURITY_TOPICS].flatMap((topic) => [
        may('subscribePattern', topic),
        may('publishClientReceive', topic),
      ]),
      ...[`${device}/commands`, `${device}/errors`, DYNAMIC_SECURITY_TOPICS].map((topic) => may('publishClientSend', topic)),
    ],
  }
  const accountOf = ({ username, passwordHash }: Account) => ({ username, ...splitHash(passwordHash), roles: [{ rolename: username }] })
  const deviceAccountOf = ({ passwordHash, ...sender }: DeviceAccount) => ({
    ...accountOf({ username: mqttUsername(sender.resellerId, sender.deviceId), passwordHash }),
    // The plugin lets it in under this client id only: the broker throws out whoever is there under the same one.
    clientid: sender.deviceId,
  })
  return {
    clients: [accountOf(platform), ...devices.map(deviceAccountOf)],
    roles: [platformRole, ...devices.map((each) => deviceRole(topicPrefix, each))],
    defaultACLAccess: { publishClientSend: false, publishClientReceive: false, subscribe: false, unsubscribe: true },
  }
}

function splitHash(passwordHash: string): { password: string; salt: string; iterations: number } {
  const [, iterations, salt, password] = /^\$7\$(\d+)\$([^$]+)\$([^$]+)$/.exec(passwordHash) ?? []
  if (iterations === undefined || salt === undefined || password === undefined) throw new Error('not a $7$ hash of a password')
  return { password, salt, iterations: Number(iterations) }
}
