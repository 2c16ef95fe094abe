import { Badge } from '@mantine/core'
import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import type { SimStatus } from '../api/sim-queries.ts'
import { CheckIcon, CrossIcon, InfoIcon, LockIcon, PauseIcon, UnknownIcon, WarningIcon } from '../shell/icons.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'

export const simStatuses = [
  'inventory',
  'test',
  'active',
  'suspended',
  'safe_custody',
  'terminating',
  'terminated',
] as const satisfies readonly SimStatus[]

export const statusLabels: Readonly<Record<SimStatus, string>> = {
  inventory: 'Inventory',
  test: 'Test',
  active: 'Active',
  suspended: 'Suspended',
  safe_custody: 'Safe custody',
  terminating: 'Terminating',
  terminated: 'Terminated',
}

const looks: Readonly<Record<SimStatus, StatusLook>> = {
  inventory: { color: 'gray', Icon: UnknownIcon },
  test: { color: 'blue', Icon: InfoIcon },
  active: { color: 'green', Icon: CheckIcon },
  suspended: { color: 'orange', Icon: PauseIcon },
  safe_custody: { color: 'violet', Icon: LockIcon },
  terminating: { color: 'red', Icon: WarningIcon },
  terminated: { color: 'gray', Icon: CrossIcon },
}

const pendingLabels: Readonly<Record<NonNullable<Sim['pending_action']>, string>> = {
  activate: 'activating',
  activate_test: 'activating for test',
  suspend: 'suspending',
  safe_custody: 'going into safe custody',
  terminate: 'terminating',
  expire_custody: 'leaving safe custody',
  end_grace: 'ending',
}

export function SimStatusBadge({ sim: { status, pending_action: pending } }: { sim: Pick<Sim, 'status' | 'pending_action'> }) {
  return (
    <span className="sim-status">
      <StatusBadge look={looks[status]}>{statusLabels[status]}</StatusBadge>
      {pending !== null && (
        <Badge variant="outline" color="gray" tt="none" role="status">
          {pendingLabels[pending]}…
        </Badge>
      )}
    </span>
  )
}
