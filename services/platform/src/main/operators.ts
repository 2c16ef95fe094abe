// Wires the platforms of mobile-network operators: where they may be, and what may be called of them.

import { type AddressGuard, createAddressGuard } from '@roadworthy/service-kit/address-guard'
import { resolveName } from '@roadworthy/service-kit/resolve-name'
import { createSealer, type Sealer } from '@roadworthy/service-kit/sealed'
import { createOperatorPool, type OperatorPool } from '../sims/operator-pool.ts'
import { OPERATOR_SECRETS } from '../sims/operator-secrets.ts'
import { CallGates, systemClock } from '../sims/operators/limits.ts'
import { networksWithDemo } from './demo-networks.ts'

export type OperatorParts = { readonly sealer: Sealer; readonly guard: AddressGuard; readonly operators: OperatorPool }

export type OperatorOptions = {
  readonly settings: { readonly operatorAllowCidrs?: string | undefined; readonly operatorProcesses: number; readonly demo?: boolean }
  readonly secretKey: string
  readonly now: () => Date
}

export function createOperators({ settings, secretKey, now }: OperatorOptions): OperatorParts {
  const { operatorAllowCidrs, operatorProcesses, demo = false } = settings
  const sealer = createSealer(secretKey, OPERATOR_SECRETS)
  const guard = createAddressGuard({ allowCidrs: networksWithDemo(operatorAllowCidrs, demo), resolveName })
  const gates = new CallGates(systemClock)
  return { sealer, guard, operators: createOperatorPool({ sealer, guard, gates, processCount: operatorProcesses, now }) }
}
