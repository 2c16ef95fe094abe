// Operator connections and SIMs, made as a reseller makes them. Nobody listens at the address of their operator.

import { type Caller, ok } from './service.ts'

/** A public address, so that it is taken without asking DNS. Switched off: nothing is sent there. */
export const operatorConnection = {
  operator: 'cisco',
  name: 'Cisco',
  base_url: 'https://93.184.215.14/rws/api/v1',
  credentials: { username: 'fleet', api_key: 'k7f3' },
  settings: { time_zone: 'UTC', parking_rate_plan: 'Parking' },
  enabled: false,
}

/** `call`: below `/api/sim-billing`. */
export async function makeConnection(call: Caller, given: object = {}): Promise<string> {
  const made = await call('POST', '/operator-connections', { body: { ...operatorConnection, ...given } })
  return ok<{ connection: { connection_id: string } }>(made).connection.connection_id
}

export type MadeSim = { readonly id: string; readonly iccid: string; readonly connectionId: string }

export async function makeSim(call: Caller, iccid: string, given: object = {}, connection: object = {}): Promise<MadeSim> {
  const connectionId = await makeConnection(call, connection)
  const made = await call('POST', '/sims', { body: { connection_id: connectionId, iccid, rate_plan: 'M2M 10', ...given } })
  return { id: ok<{ sim: { id: string } }>(made).sim.id, iccid, connectionId }
}
