import { Badge } from '@mantine/core'
import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import type { SimStatus } from '../api/sim-queries.ts'

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

const colors: Readonly<Record<SimStatus, string>> = {
  inventory: 'gray',
  test: 'blue',
  active: 'green',
  suspended: 'orange',
  safe_custody: 'violet',
  terminating: 'red',
  terminated: 'gray',
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
      <Badge variant="light" color={colors[status]}>
        {statusLabels[status]}
      </Badge>
      {pending !== null && (
        <Badge variant="outline" color="gray" role="status">
          {pendingLabels[pending]}…
        </Badge>
      )}
    </span>
  )
}
