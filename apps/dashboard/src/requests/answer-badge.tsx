import { CheckIcon, CriticalIcon, InfoIcon, WarningIcon } from '../shell/icons.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { t } from '../text/translate.ts'

/** The number of HTTP with a word for what it means. */
export function AnswerBadge({ status }: { status: number }) {
  const [look, word] = answerLook(status)
  return (
    <StatusBadge look={look} size="sm">
      {status} {word}
    </StatusBadge>
  )
}

function answerLook(status: number): [look: StatusLook, word: string] {
  if (status >= 500) return [{ color: 'red', Icon: CriticalIcon }, t('failed')]
  if (status >= 400) return [{ color: 'orange', Icon: WarningIcon }, t('refused')]
  if (status >= 300) return [{ color: 'gray', Icon: InfoIcon }, t('unchanged or elsewhere')]
  return [{ color: 'green', Icon: CheckIcon }, t('OK')]
}
