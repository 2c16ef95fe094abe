import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { MoreButton } from './more-button.tsx'
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
      <MoreButton asked={asked} />
    </div>
  )
}
