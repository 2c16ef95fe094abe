import { CheckIcon, ClockIcon, PauseIcon, WarningIcon } from '../shell/icons.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import type { OperatorState } from './operator-state.ts'

const looks: Readonly<Record<OperatorState['kind'], StatusLook>> = {
  working: { color: 'green', Icon: CheckIcon },
  failing: { color: 'red', Icon: WarningIcon },
  waiting: { color: 'blue', Icon: ClockIcon },
  paused: { color: 'gray', Icon: PauseIcon },
}

export function ConnectionBadge({ kind, label }: Pick<OperatorState, 'kind' | 'label'>) {
  return (
    <StatusBadge look={looks[kind]} size="sm">
      {label}
    </StatusBadge>
  )
}
