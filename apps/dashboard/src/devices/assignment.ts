import type { Device, DeviceChange } from '@roadworthy/contracts/platform-v1/devices'

export type AssignmentEdits = {
  readonly name?: string
  readonly simNumber?: string
  readonly subClientId?: string | null
  readonly vehicleId?: string | null
}

/** What differs from the device as it is. An empty text takes the value away. */
export function assignmentChanges(
  device: Pick<Device, 'name' | 'simNumber' | 'subClientId' | 'vehicleId'>,
  { name, simNumber, ...chosen }: AssignmentEdits,
): DeviceChange {
  const edits = {
    ...chosen,
    ...(name === undefined ? {} : { name: textOf(name) }),
    ...(simNumber === undefined ? {} : { simNumber: textOf(simNumber) }),
  }
  return Object.fromEntries(Object.entries(edits).filter(([field, value]) => value !== device[field as keyof typeof edits]))
}

function textOf(typed: string): string | null {
  return typed.trim() === '' ? null : typed.trim()
}
