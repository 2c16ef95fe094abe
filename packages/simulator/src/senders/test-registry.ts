// For tests: the device and sub-client routes of the External API, as far as registration needs them.
import { type Asked, allAccepted, type Reply } from './test-platform.ts'

type Known = {
  id: string
  device_id: string
  imei: string
  sub_client_id: string
  mqtt_username: string
  mqtt_topic: string
  password: string
}

const PAGE = 3

/** Lists devices by threes, whatever limit is asked for, so that paging is exercised. */
export function createTestRegistry(): { devices: Known[]; subClients: string[]; reply(asked: Asked): Reply } {
  const devices: Known[] = []
  const subClients: string[] = []
  const refuse = (code: string): Reply => ({ status: 409, body: { success: false, error: { code, message: code } } })
  const withSecret = ({ password, ...device }: Known) => ({ success: true, status: 'active', ...device, mqtt_password: password })
  return {
    devices,
    subClients,
    reply(asked) {
      const url = new URL(asked.path, 'http://platform')
      const path = url.pathname.replace('/api/external', '')
      const { imei, sub_client_id } = asked.body as { imei?: string; sub_client_id?: string }
      if (path === '/telemetry/batch') return allAccepted(asked)
      if (path === '/sub-clients' && sub_client_id !== undefined) {
        if (subClients.includes(sub_client_id)) return refuse('already_exists')
        subClients.push(sub_client_id)
        return { status: 200, body: { success: true, sub_client: { sub_client_id } } }
      }
      if (path === '/devices' && asked.method === 'POST' && imei !== undefined && sub_client_id !== undefined) {
        if (devices.some((device) => device.imei === imei)) return refuse('device_exists')
        const id = `dev-${devices.length + 1}`
        const mqtt = { mqtt_username: `acme/${id}`, mqtt_topic: `fleet/acme/devices/${id}/telemetry` }
        devices.push({ id, device_id: id, imei, sub_client_id, ...mqtt, password: `first-${id}` })
        return { status: 200, body: withSecret(devices[devices.length - 1] as Known) }
      }
      if (path === '/devices') {
        const start = Number(url.searchParams.get('after') ?? 0)
        const page = devices.slice(start, start + PAGE).map(({ password: _, ...device }) => device)
        const hasNextPage = start + PAGE < devices.length
        return { status: 200, body: { total: devices.length, devices: page, pagination: { endCursor: String(start + PAGE), hasNextPage } } }
      }
      const rotated = devices.find((device) => path === `/devices/${device.id}/credentials/rotate`)
      if (!rotated) return { status: 404, body: { success: false, error: { code: 'not_found', message: path } } }
      rotated.password = `second-${rotated.id}`
      return { status: 200, body: withSecret(rotated) }
    },
  }
}
