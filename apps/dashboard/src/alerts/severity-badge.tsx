import { Badge } from '@mantine/core'
import type { Alert } from '@roadworthy/contracts/platform-v1/alerts'
import { type Severity, severityRank } from '@roadworthy/signals/severity'
import { CriticalIcon, InfoIcon, WarningIcon } from '../shell/icons.tsx'
import { sentenceCase } from '../text/format.ts'

const badges: Readonly<Record<Severity, { color: string; Icon: typeof InfoIcon }>> = {
  critical: { color: 'red', Icon: CriticalIcon },
  high: { color: 'red', Icon: WarningIcon },
  medium: { color: 'orange', Icon: WarningIcon },
  low: { color: 'yellow', Icon: InfoIcon },
  info: { color: 'gray', Icon: InfoIcon },
}

export function SeverityBadge({ severity }: { severity: Severity }) {
  const { color, Icon } = badges[severity]
  const variant = severity === 'critical' ? 'filled' : 'light'
  return (
    <Badge variant={variant} color={color} size="md" tt="none" className="badge" leftSection={<Icon size={14} />}>
      {sentenceCase(severity)}
    </Badge>
  )
}

/** Worst first, and among equals the newest. */
export function byUrgency(a: Alert, b: Alert): number {
  return severityRank[b.severity] - severityRank[a.severity] || b.timestamp.localeCompare(a.timestamp)
}
