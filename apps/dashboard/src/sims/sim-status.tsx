import { Badge } from '@mantine/core'
import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import type { SimStatus } from '../api/sim-queries.ts'
import { CheckIcon, CrossIcon, InfoIcon, LockIcon, PauseIcon, UnknownIcon, WarningIcon } from '../shell/icons.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { t } from '../text/translate.ts'
import { statusLabels } from './status-labels.ts'

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
  activate: t('activating'),
  activate_test: t('activating for test'),
  suspend: t('suspending'),
  safe_custody: t('going into safe custody'),
  terminate: t('terminating'),
  expire_custody: t('leaving safe custody'),
  end_grace: t('ending'),
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
