import type { Device } from '@roadworthy/contracts/platform-v1/devices'

/** Its name, and the IMEI, or where it has none the id, by which two of one name differ. */
export function deviceLabel({ name, imei, id }: Pick<Device, 'name' | 'imei' | 'id'>): string {
  return name === null ? (imei ?? id) : `${name} (${imei ?? id})`
}
