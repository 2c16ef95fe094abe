// From a stored connection to an operator that may be called: the way out with its address guard, the credential's limits, the adapter. The one
// way to get at an adapter, so that nobody calls a platform around its limits.

import { createHash } from 'node:crypto'
import { complaintWithoutValue } from '@roadworthy/service-kit/http/validation-problem'
import type { AddressGuard } from '@roadworthy/service-kit/network/address-guard'
import type { RequestLimits } from '@roadworthy/service-kit/network/guarded-request'
import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { AirtelSecrets, AirtelSettings, airtelCaps, createAirtelOperator } from './airtel.ts'
import { cycleProblem } from './billing-cycle.ts'
import { CiscoSecrets, CiscoSettings, ciscoCaps, createCiscoOperator } from './cisco.ts'
import { baseUrlProblem, createExchange } from './exchange.ts'
import { type CallGates, limitedExchange } from './limits.ts'
import { type OperatorCaps, OperatorError, type OperatorId, type SimOperator } from './operator.ts'

/** As it is stored: settings may be shown, secrets are sealed. Both are as in `operatorForms`. */
export type OperatorConnection =
  | { readonly operator: 'cisco'; readonly baseUrl: string; readonly settings: CiscoSettings; readonly secrets: CiscoSecrets }
  | { readonly operator: 'airtel'; readonly baseUrl: string; readonly settings: AirtelSettings; readonly secrets: AirtelSecrets }

/** What a connection of each operator consists of, beside its base URL. */
export const operatorForms = {
  cisco: { settings: CiscoSettings, secrets: CiscoSecrets },
  airtel: { settings: AirtelSettings, secrets: AirtelSecrets },
} as const satisfies Record<OperatorId, { settings: TSchema; secrets: TSchema }>

/** Everything that is wrong with a connection, in words that hold no secret. What comes of it without any is an `OperatorConnection`. */
export function connectionProblems(connection: { operator: OperatorId; baseUrl: unknown; settings: unknown; secrets: unknown }): string[] {
  const { settings, secrets } = operatorForms[connection.operator]
  const url = Value.Check(Type.String(), connection.baseUrl) ? baseUrlProblem(connection.baseUrl) : 'must be a text'
  const wrong = [
    ...(url === undefined ? [] : [`base_url ${url}`]),
    ...problemsOf('settings', settings, connection.settings),
    ...problemsOf('secrets', secrets, connection.secrets),
  ]
  if (wrong.length > 0) return wrong
  // What a schema cannot check of settings.
  const problem = cycleProblem(connection.settings as CiscoSettings | AirtelSettings)
  return problem === undefined ? [] : [problem]
}

/** Names fields and rules, never values. */
function problemsOf(name: string, schema: TSchema, value: unknown): string[] {
  return Value.Errors(schema, value).map((error) => `${name}${error.instancePath.replaceAll('/', '.')} ${complaintWithoutValue(error)}`)
}

export type OperatorDeps = {
  /** Made with the networks that the installation allows. */
  readonly guard: AddressGuard
  /** Of this process. */
  readonly gates: CallGates
  readonly now: () => Date
  readonly limits?: RequestLimits
  /** For tests. */
  readonly certificateAuthority?: string | undefined
}

/**
 * Opens a connection; nothing is sent. An opened operator keeps its token, so one is opened per connection and revision and used again.
 * Connections with the same credential share its limits.
 */
export function openOperator(connection: OperatorConnection, deps: OperatorDeps): SimOperator {
  const [problem] = connectionProblems(connection)
  if (problem !== undefined) throw new OperatorError('rejected', `The connection cannot be used: ${problem}.`)
  const { guard, gates, now, limits, certificateAuthority } = deps
  const { maxPerSecond, maxConcurrent } = capsOf(connection)
  const gate = gates.gateOf(credentialOf(connection), { maxPerSecond, maxConcurrent })
  const direct = createExchange({ baseUrl: connection.baseUrl, guard, certificateAuthority, ...(limits === undefined ? {} : { limits }) })
  const exchange = limitedExchange(direct, gate)
  if (connection.operator === 'cisco')
    return createCiscoOperator({ exchange, settings: connection.settings, secrets: connection.secrets, now })
  return createAirtelOperator({ exchange, settings: connection.settings, secrets: connection.secrets, now })
}

/** What the connection can do; nothing is opened. */
export function capsOf({ operator, settings }: OperatorConnection): OperatorCaps {
  return operator === 'cisco' ? ciscoCaps(settings as CiscoSettings) : airtelCaps(settings as AirtelSettings)
}

/**
 * Whose calls a platform counts together. The secret is part of what is hashed: a tenant that names another's user without knowing its key must
 * not share, and so not stop, the other's calls.
 */
function credentialOf({ operator, baseUrl, secrets }: OperatorConnection): string {
  return createHash('sha256')
    .update(JSON.stringify([operator, baseUrl.replace(/\/+$/, ''), Object.entries(secrets).toSorted()]))
    .digest('hex')
}
