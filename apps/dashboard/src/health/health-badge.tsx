import { Group } from '@mantine/core'
import { CheckIcon, CriticalIcon, OfflineIcon, UnknownIcon, WarningIcon } from '../shell/icons.tsx'
import { StatusBadge } from '../shell/status-badge.tsx'
import { t } from '../text/translate.ts'
import type { Condition } from './condition.ts'

export const conditions = {
  healthy: { color: 'green', Icon: CheckIcon },
  warning: { color: 'orange', Icon: WarningIcon },
  critical: { color: 'red', Icon: CriticalIcon },
  unknown: { color: 'gray', Icon: UnknownIcon },
} as const

export function conditionName(condition: Condition): string {
  return { healthy: t('Healthy'), warning: t('Warning'), critical: t('Critical'), unknown: t('Unknown') }[condition]
}

export function HealthBadge({ condition, size = 'md' }: { condition: Condition; size?: 'sm' | 'md' | 'lg' }) {
  return (
    <StatusBadge look={conditions[condition]} size={size}>
      {conditionName(condition)}
    </StatusBadge>
  )
}

export function OfflineMark() {
  return (
    <Group component="span" gap={4} wrap="nowrap" display="inline-flex" c="dimmed">
      <OfflineIcon size={14} /> {t('Offline')}
    </Group>
  )
}
