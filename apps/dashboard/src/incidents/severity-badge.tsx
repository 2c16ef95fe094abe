import type { Severity } from '@roadworthy/signals/severity'
import { CriticalIcon, InfoIcon, WarningIcon } from '../shell/icons.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { t } from '../text/translate.ts'

const looks: Readonly<Record<Severity, StatusLook>> = {
  critical: { color: 'red', Icon: CriticalIcon, variant: 'filled' },
  high: { color: 'red', Icon: WarningIcon },
  medium: { color: 'orange', Icon: WarningIcon },
  low: { color: 'yellow', Icon: InfoIcon },
  info: { color: 'gray', Icon: InfoIcon },
}

export function severityName(severity: Severity): string {
  return { critical: t('Critical'), high: t('High'), medium: t('Medium'), low: t('Low'), info: t('Info') }[severity]
}

export function SeverityBadge({ severity }: { severity: Severity }) {
  return <StatusBadge look={looks[severity]}>{severityName(severity)}</StatusBadge>
}
