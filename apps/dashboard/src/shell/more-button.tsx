import { Button, Group, Text } from '@mantine/core'
import { t } from '../text/translate.ts'

export type MoreButtonProps = {
  asked: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly isFetchNextPageError: boolean
    readonly error: Error | null
    readonly fetchNextPage: () => Promise<unknown>
  }
}

/** Below a list of pages, as long as there is another one; with the reason where that could not be loaded. */
export function MoreButton({ asked: { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } }: MoreButtonProps) {
  if (!hasNextPage) return null
  return (
    <Group p="sm" gap="sm">
      <Button variant="default" size="sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {isFetchNextPageError ? t('Try again') : t('Show more')}
      </Button>
      {isFetchNextPageError && (
        <Text size="sm" role="alert">
          {error?.message}
        </Text>
      )}
    </Group>
  )
}
