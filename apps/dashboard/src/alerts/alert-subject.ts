import type { Alert } from '@roadworthy/contracts/platform-v1/alerts'

/** What an alert is about, as it is shown; with `vehicleId` there is a page of it. */
export type AlertSubject = { readonly label: string; readonly vehicleId?: string }

/** An alert without a vehicle is one that a device raised while it was in none. */
export function alertSubject(
  { vehicleId, deviceId }: Pick<Alert, 'vehicleId' | 'deviceId'>,
  vehicleNames: ReadonlyMap<string, string>,
): AlertSubject {
  if (vehicleId === null) return { label: deviceId === null ? 'No vehicle' : `Device ${deviceId}` }
  return { label: vehicleNames.get(vehicleId) ?? vehicleId, vehicleId }
}
