import type { DeviceLinks } from '../fleet/device-links.ts'
import { upsertJob } from '../jobs/jobs.sql.ts'
import { linkDeviceToVehicle } from './change-device.ts'
import { SUB_CLIENT_LEFT_JOB } from './device-jobs.ts'
import { updateDevicesUnassigned, updateDevicesUnlinked, updateForeignDevicesUnlinked } from './devices.sql.ts'

/** What the fleet slice's routes are handed of this one. */
export const deviceLinks: DeviceLinks = {
  unassignDevices: async (db, resellerId, subClientId, at) => {
    await upsertJob(db, { resellerId, kind: SUB_CLIENT_LEFT_JOB, key: subClientId }, at)
    return await updateDevicesUnassigned(db, resellerId, subClientId, at)
  },
  linkDevice: linkDeviceToVehicle,
  unlinkDevices: updateDevicesUnlinked,
  unlinkForeignDevices: updateForeignDevicesUnlinked,
}
