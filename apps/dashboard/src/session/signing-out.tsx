import { Center, Loader } from '@mantine/core'
import { useEffect } from 'react'
import { useEndSession } from '../api/queries.ts'
import { t } from '../text/translate.ts'

/**
 * Stands in the place of every page while the session ends. When its effect runs, the pages are gone: their questions are cancelled and the stream
 * is closed, so nothing is asked for that would be refused.
 */
export function SigningOut() {
  const { mutate } = useEndSession()
  useEffect(() => mutate(), [mutate])
  return (
    <Center h="100dvh">
      <Loader aria-label={t('Loading')} />
    </Center>
  )
}
