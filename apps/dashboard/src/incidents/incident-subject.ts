import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { t } from '../text/translate.ts'

/** What an incident is about, as it is shown; with `vehicleId` there is a page of it. */
export type IncidentSubject = { readonly label: string; readonly vehicleId?: string }

/** An incident without a vehicle is one that a device raised while it was in none. */
export function incidentSubject(
  { vehicleId, deviceId }: Pick<Incident, 'vehicleId' | 'deviceId'>,
  vehicleNames: ReadonlyMap<string, string>,
): IncidentSubject {
  if (vehicleId === null) return { label: deviceId === null ? t('No vehicle') : t('Device {deviceId}', { deviceId }) }
  return { label: vehicleNames.get(vehicleId) ?? vehicleId, vehicleId }
}
