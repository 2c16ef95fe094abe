import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { type Severity, severityRank } from '@roadworthy/signals/severity'
import { CriticalIcon, InfoIcon, WarningIcon } from '../shell/icons.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { sentenceCase } from '../text/format.ts'

const looks: Readonly<Record<Severity, StatusLook>> = {
  critical: { color: 'red', Icon: CriticalIcon, variant: 'filled' },
  high: { color: 'red', Icon: WarningIcon },
  medium: { color: 'orange', Icon: WarningIcon },
  low: { color: 'yellow', Icon: InfoIcon },
  info: { color: 'gray', Icon: InfoIcon },
}

export function SeverityBadge({ severity }: { severity: Severity }) {
  return <StatusBadge look={looks[severity]}>{sentenceCase(severity)}</StatusBadge>
}

/** Worst first, and among equals the newest. */
export function byUrgency(a: Incident, b: Incident): number {
  return severityRank[b.severity] - severityRank[a.severity] || b.openedAt.localeCompare(a.openedAt)
}
