// What a project does with the client, in Node as in a browser. The function is handed over as text, so it uses nothing from outside itself.

import type * as Client from '../../packages/client/src/roadworthy-client.ts'

export type Exercised = Readonly<Record<string, unknown>>

export async function exerciseClient(client: typeof Client, given: { baseUrl: string; apiKey: string }): Promise<Exercised> {
  const fail = async (...faults: string[]) =>
    void (await fetch(`${given.baseUrl}/faults`, { method: 'POST', body: JSON.stringify(faults) }))
  const errorOf = async (call: Promise<unknown>): Promise<Client.RoadworthyError> => {
    try {
      await call
    } catch (error) {
      return error as Client.RoadworthyError
    }
    throw new Error('the call did not fail')
  }
  const roadworthy = new client.Roadworthy({ ...given, retryDelayMs: 20 })
  const { external, platform } = roadworthy

  await fail('unavailable', 'reset')
  const { status } = await external.health.get()

  const imei = 356938035643800
  for (let i = 0; i < 3; i++) await external.devices.register({ name: `Truck ${i}`, imei: String(imei + i) })
  const devices: unknown[] = []
  for await (const device of external.devices.iterate({ limit: 2 })) devices.push(device.name)

  const records = Array.from({ length: 150 }, (_, i) => ({ vehicle_id: `truck-${i}`, speed: 50 }))
  const { records_processed: stored } = await external.telemetry.sendBatch(records)

  const refused = await errorOf(external.devices.getLocation('dev-unknown'))
  const refusal = [refused.name, refused.status, refused.code, refused instanceof client.NotFoundError && refused.requestId !== undefined]

  await fail('lost answer')
  await external.subClients.create({ name: 'Once' })
  const { total } = await external.subClients.list()

  await fail('redirect')
  const redirected = await errorOf(external.health.get())

  const leaving = new AbortController()
  const aborting = errorOf(external.health.get({ signal: leaving.signal }))
  leaving.abort(new Error('left'))

  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const payload = '{"id":"evt-1","event":"alert.created","data":{}}'
  const headers = await client.webhooks.sign({ payload, id: 'evt-1', secret })
  const event = await client.webhooks.verify({ payload, headers, secret })
  const forged = await errorOf(client.webhooks.verify({ payload: `${payload} `, headers, secret }))

  let message = ''
  for await (const { type } of platform.stream.follow()) {
    message = type
    break
  }
  const logo = new Blob([Uint8Array.of(0x89, 0x50)], { type: 'image/png' })
  const badLogo = await errorOf(platform.brands.putLogoOfReseller(logo))

  const shown = [refused, redirected, roadworthy]
    .map((each) => `${String(each)} ${JSON.stringify(each)} ${(each as Error).stack}`)
    .join(' ')
  return {
    ...{ status, devices, stored, refusal, total, message },
    redirected: redirected.code,
    aborted: (await aborting).message,
    event: event.event,
    forged: forged.code,
    badLogo: badLogo.name,
    isKeyShown: shown.includes(given.apiKey),
  }
}
