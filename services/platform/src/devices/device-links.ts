import type { DeviceLinks } from '../fleet/device-links.ts'
import { linkDeviceToVehicle } from './change-device.ts'
import { updateDevicesUnassigned, updateDevicesUnlinked, updateForeignDevicesUnlinked } from './devices.sql.ts'

/** What the fleet slice's routes are handed of this one. */
export const deviceLinks: DeviceLinks = {
  unassignDevices: updateDevicesUnassigned,
  linkDevice: linkDeviceToVehicle,
  unlinkDevices: updateDevicesUnlinked,
  unlinkForeignDevices: updateForeignDevicesUnlinked,
}
