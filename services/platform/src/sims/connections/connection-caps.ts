import { capsOf } from '../operators/open-operator.ts'
import type { OperatorCaps } from '../operators/operator.ts'
import type { OperatorConnection } from './connection.ts'

/** What the operator of a stored connection can do. Its settings were checked when they were stored. */
export function connectionCaps(connection: Pick<OperatorConnection, 'operator' | 'settings'>): OperatorCaps {
  return capsOf(connection as unknown as Parameters<typeof capsOf>[0])
}
