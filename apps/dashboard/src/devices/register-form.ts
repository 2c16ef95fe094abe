// What a person fills in to register a device, and what is sent.

import type { DeviceRegister } from '@roadworthy/contracts/platform-v1/devices'
import { t } from '../text/translate.ts'

export const deviceTypes = ['obd_dongle', 'gps_tracker', 'can_gateway', 'dashcam', 'mobile_app', 'asset_tracker', 'other'] as const
export type DeviceType = (typeof deviceTypes)[number]

const typeLabels: Readonly<Record<DeviceType, string>> = {
  obd_dongle: t('OBD dongle'),
  gps_tracker: t('GPS tracker'),
  can_gateway: t('CAN gateway'),
  dashcam: t('Dashcam'),
  mobile_app: t('Mobile app'),
  asset_tracker: t('Asset tracker'),
  other: t('Other'),
}

/** Of a kind that this page does not know yet, its own name. */
export function typeLabel(deviceType: string): string {
  const known = deviceTypes.find((each) => each === deviceType)
  return known === undefined ? deviceType : typeLabels[known]
}

export type DeviceForm = {
  /** A phone sends by an app and needs a name alone. */
  readonly way: 'tracker' | 'phone'
  readonly name: string
  readonly imei: string
  readonly deviceType: DeviceType
  readonly simNumber: string
  readonly subClientId: string | null
}

export type VehicleForm = {
  readonly mode: 'create' | 'link' | 'none'
  readonly vehicleId: string | null
  readonly licensePlate: string
  readonly vin: string
  readonly make: string
  readonly model: string
  readonly year: string | number
}

export const emptyDevice: DeviceForm = { way: 'tracker', name: '', imei: '', deviceType: 'obd_dongle', simNumber: '', subClientId: null }
export const emptyVehicle: VehicleForm = { mode: 'create', vehicleId: null, licensePlate: '', vin: '', make: '', model: '', year: '' }

/** What is wrong with a field, by its name; the service checks again. */
export function deviceMistakes({ way, name, imei }: DeviceForm): { name?: string; imei?: string } {
  if (way === 'phone') return name.trim() === '' ? { name: t('Give a name, so that people know the phone.') } : {}
  if (imei.trim() === '' && name.trim() === '') return { name: t('Give a name or an IMEI.') }
  return imei.trim() === '' || /^\d{14,16}$/.test(digitsOf(imei)) ? {} : { imei: t('An IMEI has 14 to 16 digits.') }
}

export function vehicleMistakes({ mode, vehicleId, licensePlate, vin }: VehicleForm): {
  vehicleId?: string
  licensePlate?: string
  vin?: string
} {
  if (mode === 'link') return vehicleId === null ? { vehicleId: t('Choose a vehicle.') } : {}
  if (mode === 'none') return {}
  if (licensePlate.trim() === '' && vin.trim() === '') return { licensePlate: t('Give a plate or a VIN, so that people know it.') }
  return vin.trim() === '' || /^[A-Za-z0-9]{1,17}$/.test(vin.trim()) ? {} : { vin: t('A VIN has up to 17 letters and digits.') }
}

export function hasMistakes(mistakes: object): boolean {
  return Object.keys(mistakes).length > 0
}

export function toRegistration(device: DeviceForm, vehicle: VehicleForm): DeviceRegister {
  const { way, subClientId } = device
  const owner = subClientId === null ? {} : { subClientId }
  if (way === 'phone') {
    return { name: device.name.trim(), deviceType: 'mobile_app', connectionMethod: 'osmand', ...owner, vehicle: toVehicle(vehicle) }
  }
  const texts = { name: device.name.trim(), imei: digitsOf(device.imei), simNumber: device.simNumber.trim() }
  return { ...given(texts), deviceType: device.deviceType, ...owner, vehicle: toVehicle(vehicle) }
}

function toVehicle({ mode, vehicleId, year, ...texts }: VehicleForm): NonNullable<DeviceRegister['vehicle']> {
  if (mode === 'none') return { mode }
  if (mode === 'link') return { mode, vehicleId }
  const { licensePlate, vin, make, model } = texts
  const trimmed = { licensePlate: licensePlate.trim(), vin: vin.trim(), make: make.trim(), model: model.trim() }
  return { mode, ...given(trimmed), ...(typeof year === 'number' ? { year } : {}) }
}

/** Printed with spaces and dashes on many devices. */
export function digitsOf(imei: string): string {
  return imei.replaceAll(/[\s-]/g, '')
}

function given<Texts extends Record<string, string>>(texts: Texts): Partial<Texts> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')) as Partial<Texts>
}
