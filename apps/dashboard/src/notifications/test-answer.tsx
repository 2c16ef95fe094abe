import { Alert } from '@mantine/core'
import { t } from '../text/translate.ts'

/** What came of a test, in the words of the service behind the channel or the browser. */
export function TestAnswer({ status, error }: { status: string; error: string | null }) {
  if (status === 'sent') {
    return (
      <Alert color="green" role="status" title={t('The test was taken')}>
        {t('Look whether it arrived.')}
      </Alert>
    )
  }
  return (
    <Alert color={status === 'failed' ? 'red' : 'orange'} role="alert" title={t('The test did not arrive')}>
      {error}
    </Alert>
  )
}
