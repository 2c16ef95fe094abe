// Connects the demo to its emulated payment gateway.

import { createHmac } from 'node:crypto'
import { askJson, type DemoApi, RefusedCall } from './demo-api.ts'
import { EMULATED } from './demo-emulators.ts'

type WireGateway = {
  readonly connection_id: string
  readonly gateway: string
  readonly callback_url: string
  readonly enabled: boolean
  readonly settings: { readonly base_url?: string }
}
/** `url`: of the service on this machine, whatever the address is that others use. */
export type GatewayDemo = { readonly secretKey: string; readonly url: string }

const PATH = '/sim-billing/gateway-connections'

/** The keys are of this installation, the same after each start. */
export async function connectGateway({ secretKey, url }: GatewayDemo, api: DemoApi, gatewayUrl: string): Promise<void> {
  const secretFor = (purpose: string) => createHmac('sha256', secretKey).update(`demo gateway: ${purpose}`).digest('hex')
  const [key, webhookSecret] = [`sk_test_${secretFor('key')}`, `whsec_${secretFor('webhooks')}`]
  const body = { settings: { base_url: gatewayUrl }, credentials: { api_key: key, webhook_secret: webhookSecret } }
  const openAccount = async ({ callback_url: callbackUrl }: WireGateway) => {
    const account = { gateway: 'stripe', key, callbackUrl: `${url}${new URL(callbackUrl).pathname}`, webhookSecrets: [webhookSecret] }
    await askJson(`${gatewayUrl}/_accounts`, { method: 'POST', body: account, signal: api.signal })
  }
  const connect = async (enabled: boolean) => {
    const given = { gateway: 'stripe', name: 'Demo gateway', enabled, ...body }
    const { connection } = await api.call<{ connection: WireGateway }>('POST', PATH, given)
    await openAccount(connection)
  }
  const { connections } = await api.call<{ connections: WireGateway[] }>('GET', PATH)
  // Oldest first: the newest took the place of the others.
  const known = connections.findLast(({ gateway, settings }) => gateway === 'stripe' && EMULATED.test(settings.base_url ?? ''))
  if (known === undefined) return await connect(true)
  await openAccount(known)
  if (await isMoved(api, known, body)) return
  // The emulator began anew beside a database that has payments of before, as after a restored backup: those stay with a connection that is off.
  await api.call('PUT', `${PATH}/${known.connection_id}`, { enabled: false })
  await connect(known.enabled)
}

/** False where the gateway does not know what was paid through the connection. */
async function isMoved(api: DemoApi, { connection_id: id }: WireGateway, body: object): Promise<boolean> {
  try {
    await api.call('PUT', `${PATH}/${id}`, body)
    return true
  } catch (error) {
    if (error instanceof RefusedCall && error.status === 409) return false
    throw error
  }
}
