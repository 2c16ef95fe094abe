import { Badge, Group } from '@mantine/core'
import { CheckIcon, CriticalIcon, OfflineIcon, UnknownIcon, WarningIcon } from '../shell/icons.tsx'
import { sentenceCase } from '../text/format.ts'
import type { Condition } from './condition.ts'

/** A word, a shape and a colour for each: the meaning does not depend on seeing the colour. */
export const conditions = {
  healthy: { color: 'green', Icon: CheckIcon },
  warning: { color: 'orange', Icon: WarningIcon },
  critical: { color: 'red', Icon: CriticalIcon },
  unknown: { color: 'gray', Icon: UnknownIcon },
} as const

export function HealthBadge({ condition, size = 'md' }: { condition: Condition; size?: 'sm' | 'md' | 'lg' }) {
  const { color, Icon } = conditions[condition]
  return (
    <Badge variant="light" color={color} size={size} tt="none" className="badge" leftSection={<Icon size={14} />}>
      {sentenceCase(condition)}
    </Badge>
  )
}

export function OfflineMark() {
  return (
    <Group component="span" gap={4} wrap="nowrap" display="inline-flex" c="dimmed">
      <OfflineIcon size={14} /> Offline
    </Group>
  )
}
