/** Spec gap §3: `pending` is provisioned and has not spoken; `decommissioned` is final, and frees the IMEI. */
export const deviceStatuses = ['pending', 'active', 'suspended', 'decommissioned'] as const
export type DeviceStatus = (typeof deviceStatuses)[number]
export type LivingDeviceStatus = Exclude<DeviceStatus, 'decommissioned'>

/** What it takes to attribute a reading. */
export type LivingDevice = {
  readonly deviceId: string
  readonly imei: string | undefined
  readonly status: LivingDeviceStatus
  readonly subClientId: string | undefined
  readonly vehicleId: string | undefined
}

/** Whether a text has the shape of a device id or an IMEI. The shapes are disjoint: an id never consists of digits. */
export function isDeviceReference(text: string): boolean {
  return /^(dev-[a-z0-9]{8,40}|[0-9]{14,16})$/.test(text)
}
