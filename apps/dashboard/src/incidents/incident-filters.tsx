import { Button, Group, Select } from '@mantine/core'
import { severities } from '@roadworthy/signals/severity'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { groupsQuery } from '../api/group-queries.ts'
import { subClientChoicesQuery } from '../api/sub-client-queries.ts'
import { VehicleSelect } from '../fleet/vehicle-select.tsx'
import { componentName, judgedComponents } from '../health/component-name.ts'
import { useIsOfReseller } from '../session/use-session.ts'
import { language } from '../text/preferences.ts'
import { t } from '../text/translate.ts'
import { type IncidentSearch, isFiltered, readIncidentSearch } from './incident-search.ts'
import { severityName } from './severity-badge.tsx'

/** More would be slow, and nobody reads them: a person types a few letters. */
const MAX_OPTIONS = 50

/** `components`: of the incidents that are shown. */
export function IncidentFilters({ components }: { components: readonly string[] }) {
  const search = useSearch({ from: '/alerts' })
  const navigate = useNavigate({ from: '/alerts' })
  const isOfReseller = useIsOfReseller()
  const subClients = useQuery({ ...subClientChoicesQuery, enabled: isOfReseller }).data?.subClients ?? []
  const groups = useQuery(groupsQuery).data?.vehicleGroups ?? []
  const show = (changes: { [Name in keyof IncidentSearch]?: string | null }) =>
    void navigate({ search: readIncidentSearch({ ...search, ...changes }), replace: true })
  const named = new Set<string>([...judgedComponents, ...components, ...(search.component === undefined ? [] : [search.component])])
  const parts = [...named].map((value) => ({ value, label: componentName(value) }))
  return (
    <Group gap="sm" align="flex-end">
      <Filter
        label={t('Severity')}
        value={search.severity}
        onChange={(severity) => show({ severity })}
        data={[...severities].reverse().map((value) => ({ value, label: severityName(value) }))}
      />
      <Filter
        label={t('Part')}
        value={search.component}
        onChange={(component) => show({ component })}
        data={parts.sort((a, b) => a.label.localeCompare(b.label, language))}
      />
      {isOfReseller && (
        <Filter
          label={t('Sub-client')}
          value={search.subClientId}
          onChange={(subClientId) => show({ subClientId })}
          data={subClients.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {groups.length > 0 && (
        <Filter
          label={t('Group')}
          value={search.groupId}
          onChange={(groupId) => show({ groupId })}
          data={groups.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <VehicleSelect
        label={t('Vehicle')}
        placeholder={t('All')}
        clearable
        value={search.vehicleId ?? null}
        onChange={(vehicleId) => show({ vehicleId })}
        nothingFoundMessage={t('Nothing has this name')}
        w={170}
      />
      {isFiltered(search) && (
        <Button
          variant="default"
          size="sm"
          onClick={() => show({ severity: null, component: null, subClientId: null, groupId: null, vehicleId: null })}
        >
          {t('Show all')}
        </Button>
      )}
    </Group>
  )
}

type FilterProps = {
  label: string
  value: string | undefined
  onChange: (value: string | null) => void
  data: { value: string; label: string }[]
}

function Filter({ label, value, onChange, data }: FilterProps) {
  return (
    <Select
      label={label}
      placeholder={t('All')}
      clearable
      searchable
      limit={MAX_OPTIONS}
      value={value ?? null}
      onChange={onChange}
      data={data}
      nothingFoundMessage={t('Nothing has this name')}
      w={170}
    />
  )
}
