// How ingest learns who a record is about. The fleet and devices slices implement it, with a cache.

export type ResolvedDevice = {
  readonly deviceId: string
  readonly imei: string | undefined
  readonly status: 'pending' | 'active' | 'suspended'
  readonly subClientId: string | undefined
  readonly vehicleId: string | undefined
  /** Whose the vehicle is, which a device may be left linked to. */
  readonly vehicleSubClientId?: string | undefined
  /** When it came into its vehicle, once it has been in another; what it recorded before is not this vehicle's. */
  readonly vehicleSinceMs?: number
}

export type ResolvedVehicle = {
  readonly vehicleId: string
  readonly subClientId: string | undefined
  /** Nothing is stored of it. */
  readonly isRetired?: boolean
}

export type SubClientStatus = 'active' | 'suspended' | 'deactivated'

/**
 * Lookups of one reseller's things. Each answers from memory when it can (hence not always a promise) and never with another
 * reseller's thing. Decommissioned devices are not found.
 */
export type FleetDirectory = {
  findDevice(resellerId: string, idOrImei: string): ResolvedDevice | undefined | Promise<ResolvedDevice | undefined>
  /** By our id, or by the caller's own reference. */
  findVehicle(resellerId: string, reference: string): ResolvedVehicle | undefined | Promise<ResolvedVehicle | undefined>
  /**
   * Creates the vehicle that a reading named and nobody registered (`registered: false`). Safe to call twice at once. Undefined where the
   * limit is reached: of what the reseller may have, or of what it lets its devices create.
   */
  createNamedVehicle(
    resellerId: string,
    named: { readonly reference: string; readonly subClientId: string | undefined; readonly by: 'reseller' | 'device' },
  ): ResolvedVehicle | undefined | Promise<ResolvedVehicle | undefined>
  findSubClientStatus(resellerId: string, subClientId: string): SubClientStatus | undefined | Promise<SubClientStatus | undefined>
  /** IANA name; the days of what a reseller is billed begin there. */
  findTimeZone(resellerId: string): string | undefined | Promise<string | undefined>
  /** Pending devices sent for the first time. Safe to call twice at once. */
  activateDevices(pending: readonly (Pick<ResolvedDevice, 'deviceId' | 'imei'> & { readonly resellerId: string })[]): Promise<void>
}
