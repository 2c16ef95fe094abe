// How a connection is doing, from what it is and what the newest run of the synchronisation brought.

import type { OperatorConnection } from '@roadworthy/contracts/sim-billing/operator-connections'
import type { Sync } from '@roadworthy/contracts/sim-billing/sync'
import { timeAgo } from '../text/format.ts'
import { t } from '../text/translate.ts'

export type OperatorState = {
  readonly kind: 'working' | 'failing' | 'waiting' | 'paused'
  readonly label: string
  readonly text: string
}

type Connection = Pick<OperatorConnection, 'connection_id' | 'enabled' | 'synced_until'>

export function operatorState(connection: Connection, latest: Sync | null, nowMs: number): OperatorState {
  const { connection_id: id, enabled, synced_until: until } = connection
  const ago = timeAgo(until, nowMs)
  if (!enabled) {
    return { kind: 'paused', label: t('Paused'), text: t('Nothing is asked of the operator, and no action goes to it.') }
  }
  const failure = latest?.errors.find((error) => error.connection_id === id && error.iccid === null)
  if (failure !== undefined) {
    const since = until === null ? t('It was never read to the end.') : t('What is shown is of {ago}.', { ago })
    return { kind: 'failing', label: t('Failing'), text: `${failure.message} ${since}` }
  }
  if (until === null) return { kind: 'waiting', label: t('Not read yet'), text: t('It is synchronised for the first time within minutes.') }
  const odd = latest?.errors.filter((error) => error.connection_id === id && error.iccid !== null).length ?? 0
  const text = t('Everything that changed at the operator until {ago} is known.', { ago })
  if (odd === 0) return { kind: 'working', label: t('Working'), text }
  const ofSims = t(
    '{count, plural, one {The operator could not be understood about # SIM.} other {The operator could not be understood about # SIMs.}}',
    {
      count: odd,
    },
  )
  return { kind: 'working', label: t('Working'), text: `${text} ${ofSims}` }
}
