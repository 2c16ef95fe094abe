import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import type { SimActionName, SimStatus } from '../api/sim-queries.ts'
import { t } from '../text/translate.ts'

export type OfferedAction = { readonly action: SimActionName; readonly label: string; readonly color?: 'red' }

/** What can be done with a SIM, by the states that it can be brought to by the service. */
export function offeredActions({
  status,
  possible,
  pending_action: pending,
}: Pick<Sim, 'status' | 'possible' | 'pending_action'>): OfferedAction[] {
  if (pending !== null) return []
  const actions: OfferedAction[] = []
  if (status === 'terminating') return possible.length === 0 ? [] : [{ action: 'activate', label: t('Take termination back') }]
  if (possible.includes('active')) actions.push({ action: 'activate', label: activateLabel(status) })
  if (possible.includes('suspended')) actions.push({ action: 'suspend', label: t('Suspend') })
  if (possible.includes('safe_custody')) actions.push({ action: 'safe-custody', label: t('Safe custody') })
  if (possible.includes('terminating')) actions.push({ action: 'terminate', label: t('Terminate'), color: 'red' })
  return actions
}

function activateLabel(status: SimStatus): string {
  return status === 'suspended' || status === 'safe_custody' ? t('Resume') : t('Activate')
}

const bulkLabels: Readonly<Record<SimActionName, string>> = {
  activate: t('Activate or resume'),
  suspend: t('Suspend'),
  'safe-custody': t('Safe custody'),
  terminate: t('Terminate'),
}

export type BulkAction = OfferedAction & {
  /** For how many the present state allows it. */
  readonly possibleCount: number
}

/** What can be done with at least one of them. */
export function offeredForMany(sims: readonly Pick<Sim, 'status' | 'possible' | 'pending_action'>[]): BulkAction[] {
  const offered = sims.flatMap(offeredActions)
  const names = Object.keys(bulkLabels) as SimActionName[]
  return names.flatMap((action) => {
    const same = offered.filter((each) => each.action === action)
    return same[0] === undefined ? [] : [{ ...same[0], label: bulkLabels[action], possibleCount: same.length }]
  })
}
