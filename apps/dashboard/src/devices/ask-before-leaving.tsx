import { useBlocker } from '@tanstack/react-router'
import { Confirmation } from '../shell/confirmation.tsx'
import { t } from '../text/translate.ts'

const asked = { isPending: false, error: null }

type AskBeforeLeavingProps = { isStored: boolean; title?: string; text?: string }

/** Beside secrets that are shown once: by a link, back, or a tab that is closed, a person leaves them only after they confirmed it. */
export function AskBeforeLeaving({
  isStored,
  title = t('Leave before it is stored?'),
  text = t('It is not shown again. If it is lost, make a new one on the device’s page.'),
}: AskBeforeLeavingProps) {
  const leaving = useBlocker({ shouldBlockFn: () => !isStored, enableBeforeUnload: () => !isStored, withResolver: true })
  if (leaving.status !== 'blocked') return null
  return (
    <Confirmation
      title={title}
      text={text}
      label={t('Leave')}
      color="red"
      change={asked}
      onConfirm={leaving.proceed}
      onClose={leaving.reset}
    />
  )
}
