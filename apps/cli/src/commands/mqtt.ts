import { resolve } from 'node:path'
import { allBrokerLogins, maySignIn } from '@roadworthy/platform/devices/broker-logins'
import { createMosquittoHash } from '@roadworthy/platform/devices/credentials'
import { mqttUsername } from '@roadworthy/platform/devices/mqtt-identity'
import {
  type Account,
  type DeviceAccount,
  deviceAccessRules,
  dynamicSecurityConfiguration,
  passwordLine,
  platformAccessRules,
} from '@roadworthy/platform/ingest/receivers/mqtt-external/mosquitto-files'
import { requireReseller } from '@roadworthy/platform/resellers/resellers'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { secretOf } from '../environment-secret.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { withDatabase } from '../operator.ts'
import { replaceFile } from '../replace-file.ts'

type ExportOptions = {
  reseller?: string
  out: string
  acl?: string
  dynamicSecurity?: string
  platformUser?: string
  topicPrefix: string
}

const PASSWORD_VARIABLE = 'MQTT_BROKER_PASSWORD'

export function addMqtt(program: Command, surroundings: Surroundings): void {
  const mqtt = program.command('mqtt').description('files for an external MQTT broker (for the operator of the instance)')
  mqtt
    .command('export-passwords')
    .description("write Mosquitto's password file for the devices that may sign in, and what else it reads")
    .addOption(new RequiredOption('--out <file>', 'password file; replaced as a whole, readable by its owner only'))
    .option('--reseller <slug>', 'only devices of this one')
    .option('--acl <file>', 'access list: each device its own topics, the platform all of them')
    .option('--dynamic-security <file>', 'configuration of the dynamic-security plugin with all of it, to begin with')
    .option(
      '--platform-user <name>',
      `account of the platform itself; its password is ${PASSWORD_VARIABLE} of the environment`,
      accountName,
    )
    .addOption(
      new Option('--topic-prefix <prefix>', 'first part of every topic').env('MQTT_TOPIC_PREFIX').default('fleet').argParser(topicPrefix),
    )
    .addHelpText(
      'after',
      examples(
        'npx roadworthy mqtt export-passwords --out passwords',
        'npx roadworthy mqtt export-passwords --out passwords --acl access-list --reseller roadworthy --json',
      ),
    )
    .action(handle<ExportOptions>(surroundings, exportPasswords))
}

async function exportPasswords({ env, cwd, instance, out }: Context, options: ExportOptions): Promise<void> {
  const platform =
    options.platformUser === undefined ? undefined : await platformAccount(options.platformUser, secretOf(env, PASSWORD_VARIABLE))
  if (options.dynamicSecurity !== undefined && platform === undefined) {
    throw new CommandFailure('--dynamic-security needs --platform-user, or nobody could change the configuration.', exitCodes.usage)
  }
  const { accounts, leftOut } = await withDatabase(env, instance.dataDir, (database) => readAccounts(database, options.reseller))
  const own = platform === undefined ? [] : [platform]
  const users = [
    ...own,
    ...accounts.map(({ passwordHash, ...each }) => ({ username: mqttUsername(each.resellerId, each.deviceId), passwordHash })),
  ]
  const files = [{ path: options.out, text: users.map(passwordLine).join('') }]
  if (options.acl !== undefined) {
    const rules = [
      ...own.map(({ username }) => platformAccessRules(options.topicPrefix, username)),
      ...accounts.map((each) => deviceAccessRules(options.topicPrefix, each)),
    ]
    files.push({ path: options.acl, text: rules.join('') })
  }
  if (options.dynamicSecurity !== undefined && platform !== undefined) {
    const configuration = dynamicSecurityConfiguration(options.topicPrefix, platform, accounts)
    files.push({ path: options.dynamicSecurity, text: `${JSON.stringify(configuration)}\n` })
  }
  for (const { path, text } of files) replaceFile(resolve(cwd, path), text)
  const written = files.map(({ path }) => path)
  out.answer({ files: written, devices: accounts.length, left_out: leftOut }, () => `${accounts.length} devices in ${written.join(', ')}`)
  if (options.dynamicSecurity === undefined) {
    out.note(
      'These files cannot hold a device to its client id: set "use_username_as_clientid true" in mosquitto.conf, or devices of different',
    )
    out.note('resellers can throw each other out (docs/mqtt-brokers.md).')
  }
  if (leftOut > 0)
    out.note(`${leftOut} devices are left out: they are suspended, their reseller or sub-client is, or they have no password.`)
}

async function readAccounts(database: Database, reseller: string | undefined): Promise<{ accounts: DeviceAccount[]; leftOut: number }> {
  if (reseller !== undefined) await requireReseller(database, reseller)
  const accounts: DeviceAccount[] = []
  let leftOut = 0
  for await (const login of allBrokerLogins(database, reseller)) {
    const { resellerId, deviceId, passwordHash } = login
    if (passwordHash !== undefined && maySignIn(login)) accounts.push({ resellerId, deviceId, passwordHash })
    else leftOut++
  }
  return { accounts, leftOut }
}

async function platformAccount(username: string, password: string | undefined): Promise<Account> {
  if (password === undefined || password === '') {
    throw new CommandFailure(`--platform-user needs its password in ${PASSWORD_VARIABLE}.`, exitCodes.usage)
  }
  return { username, passwordHash: await createMosquittoHash(password) }
}

/** What would end the name, or the line, in Mosquitto's files. */
function accountName(text: string): string {
  if (/^[A-Za-z0-9_.@-]{1,64}$/.test(text)) return text
  throw new InvalidArgumentError('1 to 64 letters, digits and _.@- are wanted.')
}

function topicPrefix(text: string): string {
  if (/^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/.test(text)) return text
  throw new InvalidArgumentError('Levels of letters, digits, _ and -, with slashes between them, are wanted.')
}
