import type { Device } from '@roadworthy/contracts/platform-v1/devices'
import type { DevicePresence, DeviceStatus } from '../api/device-queries.ts'
import { CheckIcon, CrossIcon, OfflineIcon, PauseIcon, UnknownIcon } from '../shell/icons.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { t } from '../text/translate.ts'

const looks: Readonly<Record<DeviceStatus, StatusLook>> = {
  pending: { color: 'gray', Icon: UnknownIcon },
  active: { color: 'green', Icon: CheckIcon },
  suspended: { color: 'orange', Icon: PauseIcon },
  decommissioned: { color: 'gray', Icon: CrossIcon },
}

export const statusLabels: Readonly<Record<DeviceStatus, string>> = {
  pending: t('Pending'),
  active: t('Active'),
  suspended: t('Suspended'),
  decommissioned: t('Decommissioned'),
}

export const presenceLabels: Readonly<Record<DevicePresence, string>> = {
  online: t('Online'),
  offline: t('Offline'),
  never: t('No message yet'),
}

const presenceLooks: Readonly<Record<DevicePresence, StatusLook>> = {
  online: { color: 'green', Icon: CheckIcon },
  offline: { color: 'gray', Icon: OfflineIcon },
  never: { color: 'gray', Icon: UnknownIcon },
}

export function DeviceStatusBadge({ status }: { status: DeviceStatus }) {
  return <StatusBadge look={looks[status]}>{statusLabels[status]}</StatusBadge>
}

export function PresenceBadge({ device: { online, lastSeenAt } }: { device: Pick<Device, 'online' | 'lastSeenAt'> }) {
  const presence = online ? 'online' : lastSeenAt === null ? 'never' : 'offline'
  return <StatusBadge look={presenceLooks[presence]}>{presenceLabels[presence]}</StatusBadge>
}
