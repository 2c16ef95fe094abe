import type { SubClientStatus } from '../api/sub-client-queries.ts'
import { CheckIcon, CrossIcon, PauseIcon } from '../shell/icons.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { wholeNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'

const looks: Readonly<Record<SubClientStatus, StatusLook>> = {
  active: { color: 'green', Icon: CheckIcon },
  suspended: { color: 'orange', Icon: PauseIcon },
  deactivated: { color: 'gray', Icon: CrossIcon },
}

export const subClientStatusLabels: Readonly<Record<SubClientStatus, string>> = {
  active: t('Active'),
  suspended: t('Suspended'),
  deactivated: t('Deactivated'),
}

export function SubClientStatusBadge({ status }: { status: SubClientStatus }) {
  return <StatusBadge look={looks[status]}>{subClientStatusLabels[status]}</StatusBadge>
}

/** `3`, or `3 of 10` where the number of devices has a limit. */
export function deviceCountText(count: number, limit: number | null): string {
  return limit === null ? wholeNumber(count) : t('{used} of {limit}', { used: wholeNumber(count), limit: wholeNumber(limit) })
}
