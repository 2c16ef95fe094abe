import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { ok, type Row, type Service, type Tenant } from '../../support/service.ts'

const IMEI = '356938035643809'
const CLOSED_WITHIN_MS = 120_000
/** A second: fifty turns of 20 ms, and a call each, which takes as much longer as the machine is slower. */
const REVOKED_WITHIN_TURNS = 50

type Device = {
  device_id: string
  mqtt_broker: string
  mqtt_username: string
  mqtt_password: string
  mqtt_topic: string
  vehicle_id: string
}

/** Whether the connection ends in time. */
function closing(client: MqttClient, withinMs: number): Promise<boolean> {
  return Promise.race([new Promise<true>((resolve) => client.once('close', () => resolve(true))), sleep(withinMs, false, { ref: false })])
}

export function deviceMessagesSection(service: Service): void {
  const openDevice = async (): Promise<{ tenant: Tenant; device: Device }> => {
    const tenant = await service.newTenant()
    const body = { imei: IMEI, vehicle: { mode: 'create', make: 'A' } }
    return { tenant, device: ok<Device>(await tenant.external('POST', '/devices', { body })) }
  }
  const connect = (device: Device, options: IClientOptions = {}): Promise<MqttClient> =>
    connectAsync(`mqtt://${device.mqtt_broker}`, {
      clientId: device.device_id,
      username: device.mqtt_username,
      password: device.mqtt_password,
      reconnectPeriod: 0,
      connectTimeout: 60_000,
      ...options,
    })
  const readingsOf = async (tenant: Tenant, device: Device) =>
    ok<{ readings: Row[] }>(await tenant.platform('GET', `/vehicles/${device.vehicle_id}/readings`)).readings

  suite('6.2 Device messages', () => {
    test('a device publishes with the credentials of its registration, and what is acknowledged is stored', async () => {
      // MQTT 3.1.1, and 3.1 for old devices.
      for (const version of [{ protocolVersion: 4 }, { protocolVersion: 3, protocolId: 'MQIsdp' }] as const) {
        const { tenant, device } = await openDevice()
        const client = await connect(device, version)
        try {
          await client.publishAsync(device.mqtt_topic, JSON.stringify({ lat: 12.9, lon: 77.5, speed: 61, coolant_temp: 92 }), { qos: 1 })
          const [reading] = await readingsOf(tenant, device)
          assert.deepEqual(reading?.['signals'], { vehicleSpeed: 61, coolant: 92 })
          assert.deepEqual([reading?.['deviceId'], reading?.['latitude']], [device.device_id, 12.9])
          const { location } = ok<{ location: Row }>(await tenant.external('GET', `/devices/${IMEI}/location`))
          assert.equal(location['online'], true)
        } finally {
          await client.endAsync(true)
        }
      }
    })

    test('an array of 100 is stored; of 101 nothing, with a report on the errors topic; the IMEI is a client id too', async () => {
      const { tenant, device } = await openDevice()
      const client = await connect(device, { clientId: IMEI })
      try {
        const reports: Row[] = []
        client.on('message', (_topic, payload) => reports.push(JSON.parse(payload.toString())))
        await client.subscribeAsync(device.mqtt_topic.replace(/telemetry$/, 'errors'), { qos: 1 })
        await client.subscribeAsync(device.mqtt_topic.replace(/telemetry$/, 'commands'), { qos: 1 })
        const records = (count: number) =>
          Array.from({ length: count }, (_, i) => ({ speed: i, timestamp: new Date(Date.now() - 1000 * i).toISOString() }))
        await client.publishAsync(device.mqtt_topic, JSON.stringify(records(100)), { qos: 1 })
        assert.equal((await readingsOf(tenant, device)).length, 100)
        assert.deepEqual(reports, [])
        for (const [payload, code, index] of [
          [JSON.stringify(records(101)), 'batch_too_large', undefined],
          ['{broken', 'invalid_request', undefined],
          ['{"speed":"fast"}', 'invalid_request', 0],
          ['{"device_id":"dev-other","speed":1}', 'invalid_request', 0],
          ['{"speed":1,"timestamp":"2026-02-30T00:00:00Z"}', 'invalid_request', 0],
        ] as const) {
          // Acknowledged: to send it again would not help.
          await client.publishAsync(device.mqtt_topic, payload, { qos: 1 })
          for (let turn = 0; turn < 3_000 && reports.length === 0; turn++) await sleep(20)
          const report = reports.pop()
          const [refusal] = (report?.['errors'] ?? []) as Row[]
          assert.deepEqual([refusal?.['code'], refusal?.['index'], report?.['records_stored']], [code, index, 0], payload.slice(0, 60))
        }
        await client.publishAsync(device.mqtt_topic, JSON.stringify([{ speed: 200 }, { speed: 'x' }]), { qos: 1 })
        // Of a message that is half bad the good half is stored.
        assert.equal(ok<Row>(await tenant.platform('GET', `/vehicles/${device.vehicle_id}/readings`))['total'], 101)
      } finally {
        await client.endAsync(true)
      }
    })

    test('a wrong password, another username, another client id and no credentials are refused', async () => {
      const { device } = await openDevice()
      const { device: other } = await openDevice()
      for (const wrong of [
        { password: 'wrong' },
        { username: other.mqtt_username },
        { clientId: other.device_id },
        { clientId: 'anything' },
        { username: '', password: '' },
        { password: '' },
      ]) {
        await assert.rejects(connect(device, wrong), /not authorized|bad user|identifier rejected|closed|refused/i, JSON.stringify(wrong))
      }
    })

    test('a foreign topic, retain, QoS 2 and wildcards are refused, and the connection ends', async () => {
      const { device } = await openDevice()
      const { device: other } = await openDevice()
      const rules: readonly ((client: MqttClient) => Promise<unknown>)[] = [
        (client) => client.publishAsync(other.mqtt_topic, '{}', { qos: 1 }),
        (client) => client.publishAsync('anything', '{}', { qos: 1 }),
        (client) => client.publishAsync(device.mqtt_topic, '{"speed":1}', { qos: 1, retain: true }),
        (client) => client.publishAsync(device.mqtt_topic, '{"speed":1}', { qos: 2 }),
        (client) => client.subscribeAsync('#', { qos: 1 }),
        (client) => client.subscribeAsync(device.mqtt_topic, { qos: 1 }),
        (client) => client.subscribeAsync(other.mqtt_topic.replace(/telemetry$/, 'errors'), { qos: 1 }),
        (client) => client.subscribeAsync('$SYS/#', { qos: 1 }),
      ]
      for (const [i, breakRule] of rules.entries()) {
        const client = await connect(device)
        client.on('error', () => undefined)
        const closed = closing(client, CLOSED_WITHIN_MS)
        breakRule(client).catch(() => undefined)
        assert.ok(await closed, `rule ${i} did not end the connection`)
        await client.endAsync(true)
      }
    })

    test('decommissioning ends the live session within a second and the credentials for good; rotating ends the old password', async () => {
      const { tenant, device } = await openDevice()
      const rotated = ok<Device>(await tenant.external('POST', `/devices/${device.device_id}/credentials/rotate`))
      await assert.rejects(connect(device))
      const fresh = { ...device, ...rotated }
      const client = await connect(fresh)
      ok(await tenant.external('POST', `/devices/${device.device_id}/decommission`))
      for (let turn = 0; turn < REVOKED_WITHIN_TURNS && client.connected; turn++) {
        await sleep(20)
        ok(await tenant.external('GET', `/devices/${device.device_id}`))
      }
      assert.equal(client.connected, false)
      await client.endAsync(true)
      await assert.rejects(connect(fresh))
    })
  })
}
