import { Button, Group } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '../text/translate.ts'
import { NotLoaded } from './not-loaded.tsx'

type PagedPanelProps<Page> = {
  asked: UseInfiniteQueryResult<InfiniteData<Page>>
  what: string
  children: (pages: readonly Page[]) => ReactNode
}

/** A list that is loaded page by page. */
export function PagedPanel<Page>({ asked, what, children }: PagedPanelProps<Page>) {
  return (
    <div className="panel">
      {asked.data === undefined ? <NotLoaded asked={asked} what={what} /> : children(asked.data.pages)}
      {asked.hasNextPage && (
        <Group p="sm">
          <Button variant="default" size="sm" loading={asked.isFetchingNextPage} onClick={() => void asked.fetchNextPage()}>
            {t('Show more')}
          </Button>
        </Group>
      )}
    </div>
  )
}
