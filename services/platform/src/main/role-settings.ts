// Settings of what a process does, and of the database that the processes of an installation share.

import type { SettingProblem } from '@roadworthy/service-kit/process/settings'
import { Type } from 'typebox'
import { hasEveryRole, ROLES, ROLES_PATTERN, rolesOf } from './roles.ts'

/** Part of the platform's settings. */
export const roleSettings = {
  roles: Type.String({
    pattern: ROLES_PATTERN,
    default: ROLES.join(','),
    description:
      'What this process does, separated by commas: api (APIs and dashboard), receivers (readings by REST, MQTT and Kafka), worker (scoring and all that nobody waits for). Less than all of them needs DATABASE_URL, SECRET_KEY and, but for receivers, ENGINE_URL.',
  }),
  shutdownDelayS: Type.Integer({
    minimum: 0,
    maximum: 300,
    default: 0,
    description:
      'After the signal to stop, /readyz is 503 and everything else is served for so long, so that a load balancer sends what comes next elsewhere: longer than it takes to notice. A second signal stops at once.',
  }),
}

/** Part of the platform's settings. */
export const databaseSettings = {
  databaseUrl: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      secret: true,
      description: "A PostgreSQL of one's own, as the owner of the database: postgresql://user:password@host/database.",
      defaultText: 'an embedded PostgreSQL',
      example: 'postgresql://roadworthy:secret@db.example.com/roadworthy',
    }),
  ),
  databaseSessionUrl: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      secret: true,
      description:
        'The same database without the pooler, where DATABASE_URL leads to one that gives connections for a transaction only (PgBouncer in transaction mode): for migrations and LISTEN.',
      defaultText: 'DATABASE_URL, which then leads to PostgreSQL itself',
      example: 'postgresql://roadworthy:secret@db.example.com:5432/roadworthy',
    }),
  ),
  databaseConnections: Type.Optional(
    Type.Integer({
      minimum: 4,
      maximum: 500,
      description: 'Connections to PostgreSQL that this process opens at most for its work.',
      defaultText: '8 for the role api, 6 for receivers, 4 for worker, together 18',
      example: '20',
    }),
  ),
  signInConnections: Type.Optional(
    Type.Integer({
      minimum: 4,
      maximum: 100,
      description: 'Connections beside those, for who calls: keys, sessions and their limits.',
      defaultText: '4 for each of the roles api and receivers',
      example: '8',
    }),
  ),
}

type RoleSettings = { readonly roles: string; readonly engineUrl?: string | undefined; readonly demo: boolean }
type BrokerSettings = {
  readonly roles: string
  readonly mqttPort: number
  readonly mqttPublicPort?: number | undefined
  readonly mqttBrokerUrl?: string | undefined
}
type SharedSecrets = {
  readonly databaseUrl: string | undefined
  readonly databaseSessionUrl: string | undefined
  readonly secretKey: string | undefined
}

/** What processes that share the work of an installation have to share. */
export function findRoleContradictions(settings: RoleSettings, secrets: SharedSecrets): SettingProblem[] {
  const problems: SettingProblem[] = []
  const refuse = (name: string, fix: string) => problems.push({ name, value: undefined, source: 'settings', fix })
  const { databaseUrl, databaseSessionUrl, secretKey } = secrets
  if (databaseSessionUrl !== undefined && databaseUrl === undefined) {
    refuse('DATABASE_URL', 'DATABASE_SESSION_URL is set, which names the database of DATABASE_URL without its pooler; set both.')
  }
  if (hasEveryRole(settings)) return problems
  const because = `ROLES is ${settings.roles}: other processes do the rest, and`
  if (databaseUrl === undefined) refuse('DATABASE_URL', `${because} all of them need one database. Name it.`)
  if (secretKey === undefined) refuse('SECRET_KEY', `${because} all of them need the same key. Set it.`)
  if (settings.roles !== 'receivers' && settings.engineUrl === undefined) {
    refuse('ENGINE_URL', `${because} all of them ask one engine. Start it by itself and name it.`)
  }
  if (settings.demo) {
    const fix = 'the demo needs a process with all roles.'
    problems.push({ name: 'DEMO', value: 'on', source: 'settings', fix })
  }
  return problems
}

/** Devices that such a process registers are given the address of a broker that another process opens, and nothing names its port. */
export function isBrokerPortUnknown({ roles, mqttBrokerUrl, mqttPublicPort, mqttPort }: BrokerSettings): boolean {
  const own = rolesOf({ roles })
  return own.has('api') && !own.has('receivers') && mqttBrokerUrl === undefined && mqttPublicPort === undefined && mqttPort === 0
}
