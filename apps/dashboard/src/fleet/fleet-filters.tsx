import { Button, CloseButton, Group, Popover, Select, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { groupsQuery } from '../api/group-queries.ts'
import { subClientChoicesQuery } from '../api/sub-client-queries.ts'
import { useIsOfReseller } from '../session/use-session.ts'
import { SearchIcon } from '../shell/icons.tsx'
import { useTypedSearch } from '../shell/use-typed-search.ts'
import { wholeNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { choiceOf, type FleetSearch, isChosen, readFleetSearch, withoutChoice } from './fleet-search.ts'

type FleetFiltersProps = { search: FleetSearch; shown: number | undefined; total: number | undefined }

/** Over the list. All of it is in the address and answered by the service. */
export function FleetFilters({ search, shown, total }: FleetFiltersProps) {
  const navigate = useNavigate({ from: '/fleet' })
  const change = (changes: Partial<Record<keyof FleetSearch, unknown>>) =>
    void navigate({ to: '/fleet', search: (before: FleetSearch) => readFleetSearch({ ...before, ...changes }), replace: true })
  return (
    <div className="search-bar">
      <SearchField text={search.q ?? ''} onChange={(q) => change({ q })} />
      <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <Button variant="default" size="sm" px="sm">
            {filterCount(search) === 0 ? t('Filter') : t('Filter ({count})', { count: filterCount(search) })}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <Filters search={search} onChange={change} />
        </Popover.Dropdown>
      </Popover>
      <Group gap={4} className="search-counts">
        <Text size="sm" c="dimmed" className="nowrap" role="status">
          {countText(shown, total, isChosen(search))}
        </Text>
        {isChosen(search) && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => void navigate({ to: '/fleet', search: (before: FleetSearch) => withoutChoice(before) })}
          >
            {t('Show all')}
          </Button>
        )}
      </Group>
    </div>
  )
}

function countText(shown: number | undefined, total: number | undefined, isFiltered: boolean): string {
  if (shown === undefined || total === undefined) return ''
  if (!isFiltered) return t('{count, plural, one {# vehicle} other {# vehicles}}', { count: total })
  return t('{shown} of {total}', { shown: wholeNumber(shown), total: wholeNumber(total) })
}

function filterCount(search: FleetSearch): number {
  const { search: _, ...filters } = choiceOf(search)
  return Object.keys(filters).length
}

function SearchField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const { typed, type, clear } = useTypedSearch(text, (q) => readFleetSearch({ q }).q ?? '', onChange)
  return (
    <TextInput
      aria-label={t('Search vehicles')}
      placeholder={t('Plate, make, VIN, customer')}
      size="sm"
      flex={1}
      maxLength={100}
      value={typed}
      leftSection={<SearchIcon size={16} />}
      rightSection={typed === '' ? null : <CloseButton size="sm" aria-label={t('Clear the search')} onClick={clear} />}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}

type FiltersProps = { search: FleetSearch; onChange: (changes: Partial<Record<keyof FleetSearch, unknown>>) => void }

function Filters({ search: { health, presence, groupId, subClientId, retired }, onChange }: FiltersProps) {
  const isOfReseller = useIsOfReseller()
  const subClients = useQuery({ ...subClientChoicesQuery, enabled: isOfReseller }).data?.subClients ?? []
  const groups = useQuery(groupsQuery).data?.vehicleGroups ?? []
  const shared = { placeholder: t('All'), clearable: true, comboboxProps: { withinPortal: false }, mb: 'xs', w: 220 } as const
  return (
    <>
      <Select
        {...shared}
        label={t('Health')}
        value={health ?? null}
        onChange={(value) => onChange({ health: value })}
        data={[
          { value: 'critical', label: t('Critical') },
          { value: 'warning', label: t('Warning') },
          { value: 'healthy', label: t('Healthy') },
          { value: 'unknown', label: t('Not judged yet') },
        ]}
      />
      <Select
        {...shared}
        label={t('Connection')}
        value={presence ?? null}
        onChange={(value) => onChange({ presence: value })}
        data={[
          { value: 'online', label: t('Online') },
          { value: 'offline', label: t('Offline') },
        ]}
      />
      {groups.length > 0 && (
        <Select
          {...shared}
          searchable
          limit={50}
          label={t('Group')}
          value={groupId ?? null}
          onChange={(value) => onChange({ groupId: value })}
          data={groups.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {isOfReseller && subClients.length > 0 && (
        <Select
          {...shared}
          searchable
          limit={50}
          label={t('Sub-client')}
          value={subClientId ?? null}
          onChange={(value) => onChange({ subClientId: value })}
          data={subClients.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <Select
        {...shared}
        clearable={false}
        label={t('Status')}
        value={retired === true ? 'retired' : 'active'}
        onChange={(value) => onChange({ retired: value === 'retired' })}
        data={[
          { value: 'active', label: t('In service') },
          { value: 'retired', label: t('Retired') },
        ]}
      />
    </>
  )
}
