import { Button, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import { get } from '../api/client.ts'
import { usePageTitle } from '../brand/use-brand.ts'
import { t } from '../text/translate.ts'
import { Message } from './message.tsx'

const ASKED_EVERY_MS = 3_000

/** In place of a page whose files did not come, or that failed. It is loaded by itself when the service, which was away, answers again. */
export function PageNotShown() {
  const [isAway, setIsAway] = useState(false)
  const title = isAway ? t('The service does not answer') : t('This page could not be shown')
  usePageTitle(title)
  useEffect(() => {
    let wasAway = false
    const ask = async () => {
      const answers = await doesServiceAnswer()
      // A page that fails while the service answers would fail again and again.
      if (answers && wasAway) location.reload()
      wasAway ||= !answers
      setIsAway(wasAway)
    }
    void ask()
    const timer = setInterval(() => void ask(), ASKED_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <Stack align="center" gap={0}>
      <Message title={title} isPage>
        {isAway
          ? t('The page is loaded by itself when it answers again.')
          : t('Load it again. If it still fails, ask those who run the service.')}
      </Message>
      <Button variant="default" onClick={() => location.reload()}>
        {t('Load again')}
      </Button>
    </Stack>
  )
}

async function doesServiceAnswer(): Promise<boolean> {
  try {
    await get('/session')
    return true
  } catch {
    return false
  }
}

/**
 * Of a page that is loaded when it is opened. A page of a version before is loaded anew by the router, with all around it; where nothing answers, that would
 * leave nothing but the message of the browser.
 */
export function whileServed<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    try {
      return await load()
    } catch (error) {
      if (await doesServiceAnswer()) throw error
      throw new Error('The page could not be loaded: the service does not answer.', { cause: error })
    }
  }
}
