// Wires the platforms of mobile-network operators: where they may be, and what may be called of them.

import { type AddressGuard, createAddressGuard } from '@roadworthy/service-kit/network/address-guard'
import { resolveName } from '@roadworthy/service-kit/network/resolve-name'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { createSealer, type Sealer } from '@roadworthy/service-kit/process/sealed'
import { createCallTurns } from '../sims/connections/call-turns.ts'
import { createOperatorPool, type OperatorPool } from '../sims/connections/operator-pool.ts'
import { OPERATOR_SECRETS } from '../sims/connections/operator-secrets.ts'
import { CallGates } from '../sims/operators/limits.ts'
import { networksWithDemo } from './demo/demo-networks.ts'

export type OperatorParts = { readonly sealer: Sealer; readonly guard: AddressGuard; readonly operators: OperatorPool }

export type OperatorOptions = {
  readonly database: Database
  readonly settings: { readonly operatorAllowCidrs?: string | undefined; readonly demo?: boolean }
  readonly secretKey: string
  readonly now: () => Date
  readonly log: { readonly warn: (fields: object, message: string) => void }
}

export function createOperators({ database, settings, secretKey, now, log }: OperatorOptions): OperatorParts {
  const { operatorAllowCidrs, demo = false } = settings
  const sealer = createSealer(secretKey, OPERATOR_SECRETS)
  const guard = createAddressGuard({ allowCidrs: networksWithDemo(operatorAllowCidrs, demo), resolveName })
  const onError = (err: unknown) => log.warn({ err }, 'a turn at an operator could not be given back; it is free in seconds')
  const gates = new CallGates({ turns: createCallTurns({ database, secretKey, onError }), nowMs: () => performance.now() })
  return { sealer, guard, operators: createOperatorPool({ sealer, guard, gates, now }) }
}
