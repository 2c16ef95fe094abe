import { Checkbox, Group, Select, Table, Text, TextInput } from '@mantine/core'
import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { simsQuery } from '../api/sim-queries.ts'
import { useIsOfReseller, useMayChange, useSession } from '../session/use-session.ts'
import { Message } from '../shell/message.tsx'
import { Missing } from '../shell/missing.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { useTypedSearch } from '../shell/use-typed-search.ts'
import { SubClientName, useSubClientNames } from '../sub-clients/sub-client-name.tsx'
import { dataSize } from '../text/money.ts'
import { t, tRich } from '../text/translate.ts'
import { SelectionBar } from './selection-bar.tsx'
import { readSimSearch, type SimSearch } from './sim-search.ts'
import { SimStatusBadge } from './sim-status.tsx'
import { simStatuses, statusLabels } from './status-labels.ts'
import { SyncBar } from './sync-bar.tsx'
import { UsageBar } from './usage-bar.tsx'

export function SimsPage() {
  const search = useSearch({ from: '/sims' })
  const isOfReseller = useIsOfReseller()
  const asked = useInfiniteQuery(simsQuery(search))
  return (
    <div className="page">
      <PageHeading title={t('SIMs')} count={asked.data?.pages[0]?.total}>
        {isOfReseller && <SyncBar />}
      </PageHeading>
      <Filters />
      <SimList key={JSON.stringify(search)} filter={search} asked={asked} />
    </div>
  )
}

type SimListProps = { filter: SimSearch; asked: UseInfiniteQueryResult<InfiniteData<{ total: number; sims: Sim[] }>> }

/** What was selected under another filter is not selected any more: it may not be seen. */
function SimList({ filter, asked }: SimListProps) {
  const mayChange = useMayChange()
  const [kept, setKept] = useState<readonly Sim[]>([])
  const pages = asked.data?.pages ?? []
  const sims = pages.flatMap((page) => page.sims)
  const newest = new Map(sims.map((sim) => [sim.id, sim]))
  const selected = kept.map((sim) => newest.get(sim.id) ?? sim)
  return (
    <>
      {mayChange && selected.length > 0 && (
        <SelectionBar selected={selected} filter={filter} total={pages[0]?.total ?? 0} onSelect={setKept} />
      )}
      <PagedPanel asked={asked} what={t('SIMs')}>
        {() =>
          sims.length === 0 ? (
            <Nothing isFiltered={Object.keys(filter).length > 0} />
          ) : (
            <SimTable sims={sims} {...(mayChange ? { selection: { selected, select: setKept } } : {})} />
          )
        }
      </PagedPanel>
    </>
  )
}

function Filters() {
  const { status, search } = useSearch({ from: '/sims' })
  const navigate = useNavigate({ from: '/sims' })
  const show = (changes: Record<string, unknown>) => void navigate({ search: readSimSearch({ status, search, ...changes }), replace: true })
  const { typed, type } = useTypedSearch(
    search ?? '',
    (text) => readSimSearch({ search: text }).search ?? '',
    (text) => show({ search: text }),
  )
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        label={t('Search')}
        placeholder={t('ICCID, number or IMSI')}
        value={typed}
        inputMode="numeric"
        onChange={({ currentTarget }) => type(currentTarget.value)}
        w={260}
      />
      <Select
        label={t('State')}
        placeholder={t('All')}
        clearable
        value={status ?? null}
        data={simStatuses.map((value) => ({ value, label: statusLabels[value] }))}
        onChange={(value) => show({ status: value })}
        w={180}
      />
    </Group>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  // Nobody else finds the page on which operators are connected.
  const isOwner = useSession()?.role === 'owner'
  return isFiltered ? (
    <Message title={t('No SIM matches')}>{t('Choose another state, or search for other digits.')}</Message>
  ) : (
    <Message title={t('There are no SIMs yet')}>
      {isOwner
        ? tRich('<a>Connect the platform of your mobile-network operator</a>, then synchronise: its SIMs appear here.', {
            a: (inner) => <Link to="/settings/operators">{inner}</Link>,
          })
        : t('They appear here when the owner of the account has connected a mobile-network operator.')}
    </Message>
  )
}

type Selection = { readonly selected: readonly Sim[]; readonly select: (sims: readonly Sim[]) => void }

function SimTable({ sims, selection }: { sims: readonly Sim[]; selection?: Selection }) {
  const selectedIds = new Set(selection?.selected.map(({ id }) => id))
  return (
    <Table highlightOnHover verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('SIMs, with their state and what they used')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          {selection !== undefined && <SelectShown sims={sims} selection={selection} selectedIds={selectedIds} />}
          <Table.Th>{t('ICCID')}</Table.Th>
          <Table.Th visibleFrom="md">{t('Number')}</Table.Th>
          <Table.Th>{t('State')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Sub-client')}</Table.Th>
          <Table.Th visibleFrom="md">{t('Device')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Data this cycle')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sims.map((sim) => (
          <Table.Tr key={sim.id}>
            {selection !== undefined && <SelectSim sim={sim} selection={selection} isSelected={selectedIds.has(sim.id)} />}
            <SimCells sim={sim} />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function SelectShown({ sims, selection, selectedIds }: { sims: readonly Sim[]; selection: Selection; selectedIds: ReadonlySet<string> }) {
  const isAll = sims.every(({ id }) => selectedIds.has(id))
  const shown = new Set(sims.map(({ id }) => id))
  const others = selection.selected.filter(({ id }) => !shown.has(id))
  return (
    <Table.Th className="selecting">
      <Checkbox
        aria-label={t('Select all that are shown')}
        checked={isAll}
        indeterminate={!isAll && sims.some(({ id }) => selectedIds.has(id))}
        onChange={() => selection.select(isAll ? others : [...others, ...sims])}
      />
    </Table.Th>
  )
}

function SelectSim({ sim, selection: { selected, select }, isSelected }: { sim: Sim; selection: Selection; isSelected: boolean }) {
  return (
    <Table.Td className="selecting">
      <Checkbox
        aria-label={t('Select: SIM {iccid}', { iccid: sim.iccid })}
        checked={isSelected}
        onChange={() => select(isSelected ? selected.filter(({ id }) => id !== sim.id) : [...selected, sim])}
      />
    </Table.Td>
  )
}

function SimCells({ sim }: { sim: Sim }) {
  const nameOf = useSubClientNames()
  return (
    <>
      <Table.Td>
        <Link to="/sims/$simId" params={{ simId: sim.id }} className="vehicle-link numbers breaking iccid">
          {sim.iccid}
        </Link>
        <Text size="xs" c="dimmed" hiddenFrom="sm" className="breaking">
          {[...(sim.sub_client_id === null ? [] : [nameOf(sim.sub_client_id)]), dataSize(sim.data_usage_bytes)].join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td className="numbers" visibleFrom="md">
        {sim.msisdn ?? <Missing />}
      </Table.Td>
      <Table.Td>
        <SimStatusBadge sim={sim} />
      </Table.Td>
      <Table.Td className="breaking" visibleFrom="sm">
        {sim.sub_client_id === null ? <Missing /> : <SubClientName subClientId={sim.sub_client_id} />}
      </Table.Td>
      <Table.Td className="breaking" visibleFrom="md">
        {sim.device_id === null ? (
          <Missing />
        ) : (
          <Link to="/devices/$deviceId" params={{ deviceId: sim.device_id }}>
            {sim.device_name ?? sim.device_id}
          </Link>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <UsageBar sim={sim} />
      </Table.Td>
    </>
  )
}
