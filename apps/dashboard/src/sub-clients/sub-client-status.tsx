import type { SubClientStatus } from '../api/sub-client-queries.ts'
import { CheckIcon, CrossIcon, PauseIcon } from '../shell/icons.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { sentenceCase } from '../text/format.ts'

const looks: Readonly<Record<SubClientStatus, StatusLook>> = {
  active: { color: 'green', Icon: CheckIcon },
  suspended: { color: 'orange', Icon: PauseIcon },
  deactivated: { color: 'gray', Icon: CrossIcon },
}

export function SubClientStatusBadge({ status }: { status: SubClientStatus }) {
  return <StatusBadge look={looks[status]}>{sentenceCase(status)}</StatusBadge>
}
