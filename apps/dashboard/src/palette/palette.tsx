import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import type { Session } from '@roadworthy/contracts/platform-v1/session'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { SearchIcon } from '../shell/icons.tsx'
import { t } from '../text/translate.ts'
import { foundThingsQuery, noThings } from './found-things.ts'
import { useCommandActions, usePageActions, useThingActions } from './palette-actions.tsx'

const DEBOUNCE_MS = 200

const [store, spotlight] = createSpotlight()

/** Pages, vehicles, devices and sub-clients by name, and what can be done from anywhere. */
export function Palette({ session, onClose }: { session: Session; onClose: () => void }) {
  const [query, setQuery] = useState('')
  const [asked] = useDebouncedValue(query.trim(), DEBOUNCE_MS)
  const search = useQuery(foundThingsQuery(asked, session.subClientId === null))
  // What was found for the words before is not an answer to none.
  const found = asked === '' ? noThings : (search.data ?? noThings)
  useEffect(() => spotlight.open(), [])
  const pages = usePageActions(session, query.trim())
  const things = useThingActions(found)
  const commands = useCommandActions(query.trim())
  useFirstSelected(query.trim(), [...things, ...pages, ...commands].map(({ key }) => key).join())
  const isEmpty = [pages, things, commands].every(({ length }) => length === 0)
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      scrollable
      maxHeight={480}
    >
      <Spotlight.Search
        aria-label={t('Search and commands')}
        placeholder={t('Vehicle, device, sub-client, page or command')}
        leftSection={<SearchIcon />}
        maxLength={100}
      />
      <Spotlight.ActionsList aria-label={t('Found')}>
        <ActionGroup label={t('Vehicles and devices')}>{things}</ActionGroup>
        <ActionGroup label={t('Pages')}>{pages}</ActionGroup>
        <ActionGroup label={t('Commands')}>{commands}</ActionGroup>
        {isEmpty && <Spotlight.Empty>{search.isFetching ? t('Searching…') : t('Nothing has all of these words.')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/** Enter opens the first that was found: the list selects it when the words change, and forgets it when what was found for them arrives. */
function useFirstSelected(query: string, found: string): void {
  useEffect(() => {
    if (query === '' || found === '') return
    const actions = document.querySelectorAll(`#${store.getState().listId} [data-action]`)
    for (const [index, action] of actions.entries()) action.toggleAttribute('data-selected', index === 0)
    store.updateState((state) => ({ ...state, selected: 0 }))
  }, [query, found])
}

function ActionGroup({ label, children }: { label: string; children: readonly ReactNode[] }) {
  return children.length === 0 ? null : <Spotlight.ActionsGroup label={label}>{children}</Spotlight.ActionsGroup>
}
