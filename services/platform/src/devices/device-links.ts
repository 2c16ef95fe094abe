import type { DeviceLinks } from '../fleet/device-links.ts'
import { linkDeviceToVehicle } from './change-device.ts'
import { updateDevicesUnassigned, updateForeignDevicesUnlinked } from './devices.sql.ts'

/** What the fleet slice's routes are handed of this one. */
export const deviceLinks: DeviceLinks = {
  unassignDevices: updateDevicesUnassigned,
  linkDevice: linkDeviceToVehicle,
  unlinkForeignDevices: updateForeignDevicesUnlinked,
}
