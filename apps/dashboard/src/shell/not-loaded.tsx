import { Button } from '@mantine/core'
import { ApiError } from '../api/client.ts'
import { t } from '../text/translate.ts'
import { Message } from './message.tsx'
import { ListPlaceholder } from './placeholder.tsx'

type NotLoadedProps = {
  asked: { isPending: boolean; error: Error | null; refetch: () => Promise<unknown> }
  what: string
  isPage?: boolean
}

/**
 * In place of what is not there: it is on its way, it does not exist, or it could not be loaded, with the reason in the words of the service and a way to try again.
 * `isPage`: it is all that the page shows.
 */
export function NotLoaded({ asked: { isPending, error, refetch }, what, isPage = false }: NotLoadedProps) {
  if (isPending) return <ListPlaceholder isPage={isPage} />
  const isUnknown = error instanceof ApiError && error.status === 404
  return (
    <Message
      title={isUnknown ? t('There is no such {what}', { what }) : t('The {what} could not be loaded', { what })}
      isPage={isPage}
      action={
        mayComeLater(error) && (
          <Button variant="default" size="sm" mt="sm" onClick={() => void refetch()}>
            {t('Try again')}
          </Button>
        )
      }
    >
      {error?.message}
    </Message>
  )
}

/** What was refused for a reason that stays will be refused again. */
function mayComeLater(error: Error | null): boolean {
  return !(error instanceof ApiError) || error.status >= 429
}
