import { CheckIcon, PauseIcon } from '../shell/icons.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { t } from '../text/translate.ts'

const looks: Readonly<Record<'on' | 'off', StatusLook>> = {
  on: { color: 'green', Icon: CheckIcon },
  off: { color: 'gray', Icon: PauseIcon },
}

export function RuleState({ isEnabled }: { isEnabled: boolean }) {
  return (
    <StatusBadge look={looks[isEnabled ? 'on' : 'off']} size="sm">
      {isEnabled ? t('On') : t('Off')}
    </StatusBadge>
  )
}
