// Where the platform keeps the accounts of devices at an external broker: what they are to become, written with the change it follows from.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import { newId } from '@roadworthy/service-kit/text/ids'
import { type AccountChange, upsertAccountChange } from './broker-accounts.sql.ts'
import type { DeviceStatus } from './device.ts'

/** The purpose of the sealer that these functions take. */
export const BROKER_PASSWORDS = 'broker passwords'

export type DevicePlace = { readonly resellerId: string; readonly deviceId: string }

/** Each is called in the transaction of the change. */
export type BrokerAccounts = {
  /** The password exists in this moment only; the broker gets it as soon as possible. */
  setPassword(db: Db, place: DevicePlace, account: { readonly password: string; readonly status: DeviceStatus }, at: Date): Promise<void>
  setStatus(db: Db, place: DevicePlace, status: DeviceStatus, at: Date): Promise<void>
}

export function createBrokerAccounts(sealer: Sealer): BrokerAccounts {
  const change = (db: Db, place: DevicePlace, status: DeviceStatus, passwordSealed: Buffer | undefined, at: Date) =>
    upsertAccountChange(db, { ...place, changeId: newId('bac'), wanted: wantedBy(status), passwordSealed }, at)
  return {
    setPassword: (db, place, { password, status }, at) => change(db, place, status, sealer.seal(password, contextOf(place)), at),
    setStatus: (db, place, status, at) => change(db, place, status, undefined, at),
  }
}

export function openPassword(sealer: Sealer, { passwordSealed, ...place }: AccountChange): string | undefined {
  return passwordSealed === undefined ? undefined : sealer.open(passwordSealed, contextOf(place))
}

function contextOf({ resellerId, deviceId }: DevicePlace): string {
  return `${resellerId}/${deviceId}`
}

function wantedBy(status: DeviceStatus): AccountChange['wanted'] {
  if (status === 'decommissioned') return 'absent'
  return status === 'suspended' ? 'disabled' : 'enabled'
}
