import { Badge } from '@mantine/core'
import type { Alert } from '@roadworthy/contracts/platform-v1/alerts'
import { CriticalIcon, InfoIcon, WarningIcon } from '../shell/icons.tsx'
import { sentenceCase } from '../text/format.ts'

type Severity = Alert['severity']

const severities: Readonly<Record<Severity, { color: string; Icon: typeof InfoIcon; rank: number }>> = {
  critical: { color: 'red', Icon: CriticalIcon, rank: 4 },
  high: { color: 'red', Icon: WarningIcon, rank: 3 },
  medium: { color: 'orange', Icon: WarningIcon, rank: 2 },
  low: { color: 'yellow', Icon: InfoIcon, rank: 1 },
  info: { color: 'gray', Icon: InfoIcon, rank: 0 },
}

export function SeverityBadge({ severity }: { severity: Severity }) {
  const { color, Icon } = severities[severity]
  const variant = severity === 'critical' ? 'filled' : 'light'
  return (
    <Badge variant={variant} color={color} size="md" tt="none" className="badge" leftSection={<Icon size={14} />}>
      {sentenceCase(severity)}
    </Badge>
  )
}

/** Worst first, and among equals the newest. */
export function byUrgency(a: Alert, b: Alert): number {
  return severities[b.severity].rank - severities[a.severity].rank || b.timestamp.localeCompare(a.timestamp)
}
