import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import { selectConnection } from './connections.sql.ts'
import { openConnectionSecrets, type StoredConnection, toGatewayConnection } from './gateway-connection.ts'
import { createGateway } from './gateways/create-gateway.ts'
import type { PaymentGateway } from './gateways/gateway.ts'
import type { GatewayDeps } from './gateways/gateway-call.ts'

export type PaymentDeps = {
  readonly database: Database
  readonly sealer: Sealer
  readonly gateways: GatewayDeps
  /** Under which others reach the APIs, without a slash at its end. */
  readonly baseUrl: () => string
  readonly now: () => Date
  readonly log: { readonly error: (fields: object, message: string) => void; readonly warn: (fields: object, message: string) => void }
}

/** Characters that PostgreSQL cannot be asked for are in no id. */
export function isId(text: string): boolean {
  return /^[a-z0-9-]{1,64}$/.test(text)
}

/** The gateway behind a connection. Keeps nothing open. */
export function openGateway(
  { sealer, gateways, now }: Pick<PaymentDeps, 'sealer' | 'gateways' | 'now'>,
  connection: StoredConnection,
): PaymentGateway {
  return createGateway(gateways, toGatewayConnection(connection, openConnectionSecrets(sealer, connection), now()))
}

/** Absent: the connection was deleted. */
export async function findGateway(
  deps: PaymentDeps,
  { issuerId, connectionId }: { readonly issuerId: string; readonly connectionId: string },
): Promise<PaymentGateway | undefined> {
  const connection = await selectConnection(deps.database.tenantPool(issuerId), issuerId, connectionId)
  return connection === undefined ? undefined : openGateway(deps, connection)
}
