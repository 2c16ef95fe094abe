// The gateways of whoever runs the installation, through which resellers pay. For the command line: there is no API key for it.

import {
  type GatewayConnection,
  GatewayConnectionCreate,
  type GatewayConnectionTest,
  GatewayConnectionUpdate,
} from '@roadworthy/contracts/sim-billing/gateway-connections'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { createAddressGuard } from '@roadworthy/service-kit/network/address-guard'
import { resolveName } from '@roadworthy/service-kit/network/resolve-name'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Author } from '../audit/audit.ts'
import { OPERATOR_BOOK } from '../billing/book.ts'
import { changeConnection, createConnection, removeConnection, requireConnection } from './change-connection.ts'
import { selectConnections } from './connections.sql.ts'
import { GATEWAY_SECRETS, type StoredConnection } from './gateway-connection.ts'
import { tryConnection } from './try-connection.ts'
import { toWireConnection } from './wire-connection.ts'

export type OperatorGateways = {
  list(): Promise<GatewayConnection[]>
  /** `given`: as the body of `POST /gateway-connections`. */
  add(given: unknown, author: Author): Promise<GatewayConnection>
  /** As the body of `PUT /gateway-connections/{connection_id}`. Other credentials have the gateway asked whether they are of the same account. */
  change(connectionId: string, given: unknown, author: Author, allowCidrs: string): Promise<GatewayConnection>
  remove(connectionId: string, author: Author): Promise<void>
  /** `allowCidrs`: private networks in which a gateway may be. */
  test(connectionId: string, allowCidrs: string): Promise<GatewayConnectionTest>
}

/** `secretKey`: that of the service, which opens what is sealed here. */
export function operatorGateways(database: Database, secretKey: string, now: () => Date): OperatorGateways {
  const deps = { database, now, sealer: createSealer(secretKey, GATEWAY_SECRETS) }
  // Under which address the service is reached is not known here: the callback's is shown without it.
  const toWire = (connection: StoredConnection) => toWireConnection({ ...deps, baseUrl: () => '' }, connection)
  return {
    list: async () => (await selectConnections(database.tenantPool(OPERATOR_BOOK), OPERATOR_BOOK)).map(toWire),
    add: async (given, author) => toWire(await createConnection(deps, checked(GatewayConnectionCreate, given), author)),
    change: async (connectionId, given, author, allowCidrs) =>
      toWire(await changeConnection({ ...deps, ...reach(allowCidrs) }, connectionId, checked(GatewayConnectionUpdate, given), author)),
    remove: async (connectionId, author) => await removeConnection(deps, connectionId, author),
    test: async (connectionId, allowCidrs) => {
      return await tryConnection({ ...deps, ...reach(allowCidrs) }, await requireConnection(database, OPERATOR_BOOK, connectionId))
    },
  }
}

const reach = (allowCidrs: string) => ({ gateways: { guard: createAddressGuard({ allowCidrs, resolveName }) } })

function checked<Schema extends TSchema>(schema: Schema, given: unknown): Static<Schema> {
  if (Value.Check({ ...schema, additionalProperties: false }, given)) return given as Static<Schema>
  const [first] = Value.Errors(schema, given)
  const where = first === undefined || first.instancePath === '' ? 'It' : first.instancePath.slice(1).replaceAll('/', '.')
  throw new Problem('invalid_request', `${where} ${first?.message ?? 'is not of the form of a gateway connection'}.`)
}
