// What the audit log records of changes to sub-clients, vehicles and devices (`audit.test.ts`).

import type { Changes } from './audited-sim-changes.ts'

const EXTERNAL = '/api/external'
const PLATFORM = '/api/v1'

/** Each makes one and returns its id. */
type Make = {
  readonly makeSubClient: () => Promise<string>
  readonly makeDevice: () => Promise<string>
  readonly makeDeviceWithToken: () => Promise<string>
  readonly makeVehicle: () => Promise<string>
  readonly makeVehicleGroup: () => Promise<string>
  readonly imei: () => string
}

export function fleetChanges({ makeSubClient, makeDevice, makeDeviceWithToken, makeVehicle, makeVehicleGroup, imei }: Make): Changes {
  return {
    createSubClient: ['sub_client.created', (ask) => ask('POST', `${EXTERNAL}/sub-clients`, { name: 'New' })],
    updateSubClient: [
      'sub_client.updated',
      async (ask) => ask('PUT', `${EXTERNAL}/sub-clients/${await makeSubClient()}`, { status: 'suspended' }),
    ],
    deactivateSubClient: ['sub_client.deactivated', async (ask) => ask('DELETE', `${EXTERNAL}/sub-clients/${await makeSubClient()}`)],
    changeSubClient: [
      'sub_client.updated',
      async (ask) => ask('PATCH', `${PLATFORM}/sub-clients/${await makeSubClient()}`, { limits: { devices: 3 }, name: 'Renamed' }),
    ],
    changeDevice: ['device.updated', async (ask) => ask('PATCH', `${PLATFORM}/devices/${await makeDevice()}`, { status: 'suspended' })],
    changeVehicle: ['vehicle.updated', async (ask) => ask('PATCH', `${PLATFORM}/vehicles/${await makeVehicle()}`, { name: 'Renamed' })],
    createVehicleGroup: ['vehicle_group.created', (ask) => ask('POST', `${PLATFORM}/vehicle-groups`, { name: 'New depot' })],
    changeVehicleGroup: [
      'vehicle_group.updated',
      async (ask) => ask('PATCH', `${PLATFORM}/vehicle-groups/${await makeVehicleGroup()}`, { addVehicleIds: [await makeVehicle()] }),
    ],
    deleteVehicleGroup: ['vehicle_group.deleted', async (ask) => ask('DELETE', `${PLATFORM}/vehicle-groups/${await makeVehicleGroup()}`)],
    upsertVehicle: ['vehicle.created', (ask) => ask('POST', `${EXTERNAL}/vehicles`, { make: 'Tata' })],
    updateVehicle: ['vehicle.updated', async (ask) => ask('PUT', `${EXTERNAL}/vehicles/${await makeVehicle()}`, { name: 'Renamed' })],
    retireVehicle: ['vehicle.retired', async (ask) => ask('DELETE', `${EXTERNAL}/vehicles/${await makeVehicle()}`)],
    registerDevice: ['device.registered', (ask) => ask('POST', `${EXTERNAL}/devices`, { imei: imei() })],
    startMessageRecording: [
      'device.recording_started',
      async (ask) => ask('POST', `${PLATFORM}/devices/${await makeDevice()}/messages/recording`),
    ],
    // Nothing was recorded.
    stopMessageRecording: [undefined, async (ask) => ask('DELETE', `${PLATFORM}/devices/${await makeDevice()}/messages/recording`)],
    importDevices: ['device.registered', (ask) => ask('POST', `${PLATFORM}/devices/import`, { devices: [{ imei: imei() }] })],
    updateDevice: ['device.updated', async (ask) => ask('PUT', `${EXTERNAL}/devices/${await makeDevice()}`, { name: 'Renamed' })],
    decommissionDevice: ['device.decommissioned', async (ask) => ask('POST', `${EXTERNAL}/devices/${await makeDevice()}/decommission`)],
    issueTrackerToken: [
      'device.tracker_token_issued',
      async (ask) => ask('POST', `${PLATFORM}/devices/${await makeDevice()}/tracker-token`),
    ],
    revokeTrackerToken: [
      'device.tracker_token_revoked',
      async (ask) => ask('DELETE', `${PLATFORM}/devices/${await makeDeviceWithToken()}/tracker-token`),
    ],
    rotateDeviceCredentials: [
      'device.credentials_rotated',
      async (ask) => ask('POST', `${EXTERNAL}/devices/${await makeDevice()}/credentials/rotate`, { grace_seconds: 60 }),
    ],
  }
}

/** Operations that the document of the Platform API names as that of the External API does. */
export function platformFleetChanges({ makeSubClient, makeDevice, imei }: Make): Changes {
  return {
    createSubClient: ['sub_client.created', (ask) => ask('POST', `${PLATFORM}/sub-clients`, { name: 'New' })],
    deactivateSubClient: ['sub_client.deactivated', async (ask) => ask('DELETE', `${PLATFORM}/sub-clients/${await makeSubClient()}`)],
    registerDevice: ['device.registered', (ask) => ask('POST', `${PLATFORM}/devices`, { imei: imei() })],
    decommissionDevice: ['device.decommissioned', async (ask) => ask('POST', `${PLATFORM}/devices/${await makeDevice()}/decommission`)],
    rotateDeviceCredentials: [
      'device.credentials_rotated',
      async (ask) => ask('POST', `${PLATFORM}/devices/${await makeDevice()}/credentials/rotate`, { graceSeconds: 60 }),
    ],
  }
}
