import { Group } from '@mantine/core'
import { CheckIcon, CriticalIcon, OfflineIcon, UnknownIcon, WarningIcon } from '../shell/icons.tsx'
import { StatusBadge } from '../shell/status-badge.tsx'
import { sentenceCase } from '../text/format.ts'
import type { Condition } from './condition.ts'

export const conditions = {
  healthy: { color: 'green', Icon: CheckIcon },
  warning: { color: 'orange', Icon: WarningIcon },
  critical: { color: 'red', Icon: CriticalIcon },
  unknown: { color: 'gray', Icon: UnknownIcon },
} as const

export function HealthBadge({ condition, size = 'md' }: { condition: Condition; size?: 'sm' | 'md' | 'lg' }) {
  return (
    <StatusBadge look={conditions[condition]} size={size}>
      {sentenceCase(condition)}
    </StatusBadge>
  )
}

export function OfflineMark() {
  return (
    <Group component="span" gap={4} wrap="nowrap" display="inline-flex" c="dimmed">
      <OfflineIcon size={14} /> Offline
    </Group>
  )
}
