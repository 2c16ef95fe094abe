// What the audit log records of changes to SIMs and to accounts at operators (`audit.test.ts`).

import { makeConnection, makeSim, operatorConnection } from '../support/make-sim.ts'
import type { Answer } from '../support/running-platform.ts'
import type { Service, Tenant } from '../support/service.ts'

/** Calls with a request id of its own. */
export type Ask = (method: string, path: string, body?: unknown, cookie?: string) => Promise<Answer>
/** By operation: what to call, and the action that the log must name; undefined where the call is no change. */
export type Changes = Readonly<Record<string, readonly [action: string | undefined, run: (ask: Ask) => Promise<Answer>]>>

const SIM_BILLING = '/api/sim-billing'
/** Where nobody listens. */
const LOOPBACK = { base_url: 'http://127.0.0.1:9999/rws/api/v1', enabled: true }

export function simChanges(service: Service, { simBilling }: Tenant, imei: () => string): Changes {
  const connectionPath = async () => `${SIM_BILLING}/operator-connections/${await makeConnection(simBilling, LOOPBACK)}`
  const simPath = async () => `${SIM_BILLING}/sims/${(await makeSim(simBilling, `89910009${imei().slice(-11)}`, {}, LOOPBACK)).id}`
  async function activeSimPath(): Promise<string> {
    const path = await simPath()
    await service.database.systemPool.query("update sims set status = 'active' where sim_id = $1", [path.split('/').at(-1)])
    return path
  }
  return {
    createOperatorConnection: [
      'operator_connection.created',
      (ask) => ask('POST', `${SIM_BILLING}/operator-connections`, operatorConnection),
    ],
    updateOperatorConnection: ['operator_connection.updated', async (ask) => ask('PUT', await connectionPath(), { name: 'Renamed' })],
    testOperatorConnection: [undefined, async (ask) => ask('POST', `${await connectionPath()}/test`)],
    deleteOperatorConnection: ['operator_connection.deleted', async (ask) => ask('DELETE', await connectionPath())],
    createSim: [
      'sim.created',
      async (ask) => ask('POST', `${SIM_BILLING}/sims`, { connection_id: await makeConnection(simBilling), iccid: '8991000900000000001' }),
    ],
    activateSim: ['sim.action_requested', async (ask) => ask('POST', `${await simPath()}/activate`, {})],
    suspendSim: ['sim.action_requested', async (ask) => ask('POST', `${await activeSimPath()}/suspend`, {})],
    parkSim: ['sim.action_requested', async (ask) => ask('POST', `${await activeSimPath()}/safe-custody`, {})],
    terminateSim: ['sim.action_requested', async (ask) => ask('POST', `${await activeSimPath()}/terminate`, {})],
    actOnSims: [
      'sim.action_requested',
      async (ask) => {
        const simId = (await activeSimPath()).split('/').at(-1)
        return ask('POST', `${SIM_BILLING}/sims/bulk`, { sim_ids: [simId], action: 'suspend' })
      },
    ],
    updateSim: ['sim.updated', async (ask) => ask('PUT', await simPath(), { data_limit_mb: 10 })],
  }
}
