// Every setting of the platform, with its default and its check. This is the one file that reads `process.env`.

import { resolve } from 'node:path'
import { wrongTrustedProxies } from '@roadworthy/service-kit/http/trusted-proxies'
import { wrongCidrs } from '@roadworthy/service-kit/network/address-guard'
import { placeProblems } from '@roadworthy/service-kit/process/place-problems'
import {
  type Environment,
  formatEffective,
  formatEnvExample,
  formatHelp,
  formatProblems,
  listProperties,
  loadSettings,
  type SettingProblem,
} from '@roadworthy/service-kit/process/settings'
import { findTraceProblems, traceSettings } from '@roadworthy/service-kit/telemetry/trace-settings'
import { type Static, type TInteger, Type } from 'typebox'
import { wrongReservedHosts } from '../../brands/reserved-hosts.ts'
import { databaseSettings, findRoleContradictions, roleSettings } from '../role-settings.ts'
import { hasEveryRole, rolesOf } from '../roles.ts'
import { findAddressProblems, withoutLastSlash } from './address-settings.ts'
import { backupSettings, findArchiveContradictions } from './backup-settings.ts'
import { brokerSettings, findBrokerContradictions } from './broker-settings.ts'
import { engineSettings, findEngineContradictions } from './engine-settings.ts'
import { findHistoryContradictions, historySettings } from './history-settings.ts'
import { findMapContradictions, mapSettings } from './map-settings.ts'

const MAX_PORT = 65_535
/** A hundred years: what is meant to be for ever. A date has no such distance as a number can. */
const MAX_RETENTION_DAYS = 36_500

function port(preset: number, description: string): TInteger {
  return Type.Integer({ minimum: 0, maximum: MAX_PORT, default: preset, description: `${description} 0 picks a free one.` })
}

export const PlatformSettingsSchema = Type.Object({
  ...roleSettings,
  port: port(8080, 'Port of the APIs, the dashboard and the documentation.'),
  host: Type.String({ default: '0.0.0.0', description: 'Address that the APIs and the MQTT broker listen on.' }),
  baseUrl: Type.Optional(
    Type.String({
      pattern: '^https?://[^/]+',
      description: 'Address under which others reach the APIs, behind a proxy or a load balancer.',
      defaultText: 'http://localhost and the port in use',
      example: 'https://fleet.example.com',
    }),
  ),
  reservedHosts: Type.Optional(
    Type.String({
      description:
        'Host names of your own, separated by commas, at which no reseller shows a brand; *.example.com is every name under it. The host of BASE_URL is one by itself.',
      defaultText: 'that of BASE_URL',
      example: 'example.com,*.example.com',
    }),
  ),
  securityContact: Type.Optional(
    Type.String({
      pattern: '^(mailto:[^\\s@]+@[^\\s@]+|https://\\S+|tel:\\+[0-9-]+)$',
      maxLength: 500,
      description: 'Where weaknesses of this installation are reported, shown at /.well-known/security.txt (RFC 9116).',
      defaultText: 'none; there is no such file then',
      example: 'mailto:security@example.com',
    }),
  ),
  trustProxy: Type.Optional(
    Type.String({
      description:
        'Networks of the proxies in front, separated by commas. Their X-Forwarded-For, -Proto and -Host are believed; those of others are not.',
      defaultText: 'none',
      example: '127.0.0.1,10.0.0.0/8',
    }),
  ),
  dataDir: Type.String({
    minLength: 1,
    default: '.data',
    description: 'Folder of the embedded PostgreSQL, the first credentials, the secret key and the demo fleet.',
  }),
  ...databaseSettings,
  databasePort: port(0, 'Port of the embedded PostgreSQL, on loopback.'),
  secretKey: Type.Optional(
    Type.String({
      minLength: 32,
      secret: true,
      description:
        'Key from which the passwords of the database roles and the keys of stored secrets are derived. The same in every process of one installation.',
      defaultText: 'made on first start and kept in DATA_DIR/secret-key',
      example: '(32 characters or more)',
    }),
  ),
  enginePort: port(8090, 'Port of the ML engine that the platform starts.'),
  ...engineSettings,
  mqttPort: port(1883, 'Port of the MQTT broker.'),
  mqttTlsPort: port(8883, 'Port of the MQTT broker over TLS, open when a certificate is set.'),
  mqttTlsHost: Type.Optional(
    Type.String({ minLength: 1, description: 'Address that it listens on over TLS.', defaultText: 'HOST', example: '0.0.0.0' }),
  ),
  mqttTlsCertFile: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Certificate chain for MQTT over TLS, PEM. Read again every minute, with its key.',
      defaultText: 'no TLS',
    }),
  ),
  mqttTlsKeyFile: Type.Optional(Type.String({ minLength: 1, description: 'Private key of that certificate, PEM.', defaultText: 'no TLS' })),
  mqttTopicPrefix: Type.String({
    pattern: '^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$',
    default: 'fleet',
    description: 'First part of every MQTT topic.',
  }),
  ...brokerSettings,
  ...mapSettings,
  ...historySettings,
  ...backupSettings,
  metricsPort: port(9464, 'Port of the Prometheus metrics.'),
  metricsHost: Type.String({ default: '127.0.0.1', description: 'Address that the metrics listen on; they carry no authentication.' }),
  demo: Type.Optional(
    Type.Boolean({
      description:
        'Run a demo fleet that drives, wears out and raises alerts, with SIMs at an emulated operator and invoices payable at an emulated payment gateway. Both may then be on 127.0.0.1, which is refused otherwise.',
      defaultText: 'on when PostgreSQL and the MQTT broker are embedded',
    }),
  ),
  demoOperatorPort: port(0, "Port of the demo's emulated operator, on loopback."),
  demoGatewayPort: port(0, "Port of the demo's emulated payment gateway, on loopback."),
  logLevel: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'How much is logged.',
  }),
  readingsRetentionDays: Type.Integer({
    minimum: 1,
    maximum: MAX_RETENTION_DAYS,
    default: 400,
    description: 'Readings older than this are removed, wherever they are, a week of them at a time.',
  }),
  eventsRetentionDays: Type.Integer({
    minimum: 1,
    maximum: MAX_RETENTION_DAYS,
    default: 30,
    description: 'Events older than this are removed from the log.',
  }),
  webhookAllowCidrs: Type.Optional(
    Type.String({
      description:
        'Private networks that webhooks may go to, over http as well, separated by commas. Everything that is not a public address is refused otherwise.',
      defaultText: 'none',
      example: '10.20.0.0/16,fd00:20::/32',
    }),
  ),
  operatorAllowCidrs: Type.Optional(
    Type.String({
      description:
        'Private networks that SIM platforms of operators may be in, over http as well, separated by commas. Everything that is not a public address is refused otherwise.',
      defaultText: 'none',
      example: '10.20.0.0/16,fd00:20::/32',
    }),
  ),
  gatewayAllowCidrs: Type.Optional(
    Type.String({
      description:
        'Private networks that payment gateways may be in, over http as well, separated by commas: for an emulator or a proxy. Everything that is not a public address is refused otherwise.',
      defaultText: 'none',
      example: '10.20.0.0/16',
    }),
  ),
  streamAllowCidrs: Type.Optional(
    Type.String({
      description:
        'Private networks that the brokers of streams may be in, separated by commas. Everything that is not a public address is refused otherwise.',
      defaultText: 'none',
      example: '10.30.0.0/16',
    }),
  ),
  auditRetentionDays: Type.Integer({
    minimum: 1,
    maximum: MAX_RETENTION_DAYS,
    default: 400,
    description: 'Entries of the audit log older than this are removed, a week of them at a time.',
  }),
  readingsMaxAgeDays: Type.Integer({
    minimum: 1,
    maximum: 3650,
    default: 30,
    description: 'Readings recorded longer ago than this are refused.',
  }),
  readingsMaxFutureS: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    default: 300,
    description: 'Readings recorded further ahead than this are refused.',
  }),
  authFailuresPerMinute: Type.Integer({
    minimum: 0,
    default: 20,
    description:
      'Requests with a bad API key that one address may make a minute before it gets 429 in place of 401. 0: any number. Loopback is exempt.',
  }),
  smtpUrl: Type.Optional(
    Type.String({
      pattern: '^smtps?://[^\\s]+$',
      secret: true,
      description:
        'Mail server for invitations and password resets: smtps://user:password@host:465, or smtp:// with STARTTLS where the server offers it.',
      defaultText: 'no mail; links are shown to who asks, or printed in the log',
      example: 'smtps://roadworthy:secret@mail.example.com:465',
    }),
  ),
  mailFrom: Type.Optional(
    Type.String({
      pattern: '^[^\\s@<>,;]+@[^\\s@<>,;]+$',
      maxLength: 254,
      description: 'Address that mails come from. Needed with SMTP_URL.',
      defaultText: 'none',
      example: 'fleet@example.com',
    }),
  ),
  deviceOfflineAfterS: Type.Integer({
    minimum: 10,
    maximum: 7 * 86_400,
    default: 300,
    description: 'A device that is not connected is offline when nothing was received of it for this many seconds.',
  }),
  deviceReconnectWithinS: Type.Integer({
    minimum: 0,
    maximum: 3_600,
    default: 30,
    description: 'A device whose connection ended is not reported offline if it is back within this many seconds.',
  }),
  ...traceSettings,
  scoringIntervalS: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    default: 10,
    description: 'A vehicle is scored at most once in this many seconds.',
  }),
})

/** For the command line: the settings of where the history is, and what is due. */
export const HistorySettingsSchema = Type.Object({
  ...historySettings,
  ...Type.Pick(PlatformSettingsSchema, ['dataDir', 'readingsMaxAgeDays', 'readingsRetentionDays']).properties,
})

/** For programs beside the service: the part of its settings that names its database. */
export const DatabaseSettingsSchema = Type.Pick(PlatformSettingsSchema, ['databaseUrl', 'databaseSessionUrl', 'secretKey'])

export type PlatformSettings = Omit<Static<typeof PlatformSettingsSchema>, keyof PlatformSecrets | 'demo'> & {
  demo: boolean
}

/** Not enumerable, so that neither a log nor JSON shows them. */
export type PlatformSecrets = {
  readonly databaseUrl: string | undefined
  readonly databaseSessionUrl: string | undefined
  readonly secretKey: string | undefined
  readonly engineKey: string | undefined
  readonly smtpUrl: string | undefined
  readonly mqttBrokerPassword: string | undefined
  readonly brokerAuthSecret: string | undefined
  readonly historyS3SecretAccessKey: string | undefined
  readonly restorePassphrase: string | undefined
  readonly otelExporterOtlpHeaders: string | undefined
}

export type PlatformConfiguration = { settings: PlatformSettings; secrets: PlatformSecrets }

/** What the command line asks for: to run with settings, or to print something and exit with that code. */
export type Invocation = { kind: 'run'; configuration: PlatformConfiguration } | { kind: 'print'; text: string; exitCode: 0 | 2 }

const USAGE =
  'Roadworthy: fleet telematics and predictive maintenance.\n\nUsage: npm start -- [flags]\nFor example: npm start -- --no-demo --port 9000'

export function readInvocation(args: readonly string[], env: Environment = process.env): Invocation {
  const loaded = loadSettings(PlatformSettingsSchema, args, env)
  if (loaded.kind === 'help') return { kind: 'print', text: formatHelp(PlatformSettingsSchema, USAGE), exitCode: 0 }
  if (loaded.kind === 'problems') return refuse(loaded.problems)

  // Not enumerable, as `loadSettings` makes them.
  const secrets = loaded.secrets as PlatformSecrets
  const settings: PlatformSettings = {
    ...loaded.settings,
    ...(loaded.settings.baseUrl === undefined ? {} : { baseUrl: withoutLastSlash(loaded.settings.baseUrl) }),
    dataDir: resolve(loaded.settings.dataDir),
    demo:
      loaded.settings.demo ??
      (hasEveryRole(loaded.settings) && secrets.databaseUrl === undefined && loaded.settings.mqttBrokerUrl === undefined),
  }
  const problems = [
    ...findAddressProblems(settings, secrets),
    ...findContradictions(settings, secrets.smtpUrl !== undefined),
    ...findBrokerContradictions(settings, secrets.mqttBrokerPassword !== undefined),
    ...findEngineContradictions(settings.engineUrl, secrets.engineKey !== undefined),
    ...findMapContradictions(settings),
    ...findRoleContradictions(settings, secrets),
    ...findHistoryContradictions(settings, secrets.historyS3SecretAccessKey !== undefined),
    ...findArchiveContradictions(settings, secrets.databaseUrl === undefined),
    ...findTraceProblems(settings, secrets.otelExporterOtlpHeaders),
  ]
  if (problems.length > 0) return refuse(placeProblems(problems, loaded.sources))
  if (loaded.isCheckOnly) {
    return { kind: 'print', text: formatEffective(PlatformSettingsSchema, settings, loaded.secrets), exitCode: 0 }
  }
  return { kind: 'run', configuration: { settings, secrets } }
}

/** For the example file: its text, and the keys that stand in it. */
export function platformEnvExample(): { text: string; keys: readonly string[] } {
  return { text: formatEnvExample(PlatformSettingsSchema), keys: Object.keys(PlatformSettingsSchema.properties) }
}

/** The ports that will be opened, by the name of their setting. */
export function listenPorts(settings: PlatformSettings): { name: string; host: string; port: number }[] {
  const opensBroker = settings.mqttBrokerUrl === undefined && rolesOf(settings).has('receivers')
  const hasTls = opensBroker && settings.mqttTlsCertFile !== undefined
  return [
    { name: 'PORT', host: settings.host, port: settings.port },
    ...(opensBroker ? [{ name: 'MQTT_PORT', host: settings.host, port: settings.mqttPort }] : []),
    ...(hasTls ? [{ name: 'MQTT_TLS_PORT', host: settings.mqttTlsHost ?? settings.host, port: settings.mqttTlsPort }] : []),
    { name: 'METRICS_PORT', host: settings.metricsHost, port: settings.metricsPort },
    ...(startsEngine(settings) ? [{ name: 'ENGINE_PORT', host: '127.0.0.1', port: settings.enginePort }] : []),
    { name: 'DATABASE_PORT', host: '127.0.0.1', port: settings.databasePort },
    ...(settings.demo ? demoPorts(settings) : []),
  ]
}

/** Whether this process starts an engine beside it. */
export function startsEngine(settings: PlatformSettings): boolean {
  return settings.engineUrl === undefined && hasEveryRole(settings)
}

function demoPorts({ demoOperatorPort, demoGatewayPort }: PlatformSettings) {
  return [
    { name: 'DEMO_OPERATOR_PORT', host: '127.0.0.1', port: demoOperatorPort },
    { name: 'DEMO_GATEWAY_PORT', host: '127.0.0.1', port: demoGatewayPort },
  ]
}

function findContradictions(settings: PlatformSettings, hasMail: boolean): SettingProblem[] {
  const problems: SettingProblem[] = []
  const names = new Map<number, string>()
  for (const { name, port: number } of listenPorts(settings)) {
    const other = names.get(number)
    if (number !== 0 && other !== undefined) {
      problems.push({ name, value: String(number), source: 'settings', fix: `${other} is the same. Give each its own port, or 0.` })
    }
    names.set(number, name)
  }
  if ((settings.mqttTlsCertFile === undefined) !== (settings.mqttTlsKeyFile === undefined)) {
    const files = ['MQTT_TLS_CERT_FILE', 'MQTT_TLS_KEY_FILE'] as const
    const [name, other] = settings.mqttTlsCertFile === undefined ? files : files.toReversed()
    problems.push({
      name,
      value: undefined,
      source: 'settings',
      fix: `${other} is set: MQTT over TLS needs both a certificate and its key; set both or neither.`,
    })
  }
  if (hasMail !== (settings.mailFrom !== undefined)) {
    const [name, other] = hasMail ? ['MAIL_FROM', 'SMTP_URL'] : ['SMTP_URL', 'MAIL_FROM']
    problems.push({
      name,
      value: undefined,
      source: 'settings',
      fix: `${other} is set: mail needs both a server and an address it comes from; set both or neither.`,
    })
  }
  const proxiesFix = wrongTrustedProxies(settings.trustProxy)
  if (proxiesFix !== undefined) problems.push({ name: 'TRUST_PROXY', value: settings.trustProxy, source: 'settings', fix: proxiesFix })
  const notHosts = wrongReservedHosts(settings.reservedHosts ?? '')
  if (notHosts.length > 0) {
    const fix = `${notHosts.join(', ')}: not a host name. Write it as fleet.example.com or *.example.com, several separated by commas.`
    problems.push({ name: 'RESERVED_HOSTS', value: settings.reservedHosts, source: 'settings', fix })
  }
  for (const [name, value] of Object.entries({
    WEBHOOK_ALLOW_CIDRS: settings.webhookAllowCidrs,
    OPERATOR_ALLOW_CIDRS: settings.operatorAllowCidrs,
    GATEWAY_ALLOW_CIDRS: settings.gatewayAllowCidrs,
    STREAM_ALLOW_CIDRS: settings.streamAllowCidrs,
  })) {
    const wrong = wrongCidrs(value ?? '')
    const fix = `${wrong.join(', ')}: not a network. Write it as 10.20.0.0/16 or fd00:20::/32, several separated by commas.`
    if (wrong.length > 0) problems.push({ name, value, source: 'settings', fix })
  }
  return problems
}

function refuse(problems: readonly SettingProblem[]): Invocation {
  return { kind: 'print', text: `${formatProblems(problems)}\n`, exitCode: 2 }
}

/** What child processes inherit. Their settings come as flags; the variables of this process that carry its secrets do not pass on. */
export function childEnvironment(env: Environment = process.env): NodeJS.ProcessEnv {
  const properties = listProperties(PlatformSettingsSchema)
  const secrets = properties.flatMap(({ env: name, schema }) => (schema.secret === true ? [name] : []))
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secrets.includes(name)))
}
