import { Badge, Button, Group, Loader, Select, Table, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { simsQuery } from '../api/sim-queries.ts'
import { usePageTitle } from '../brand/use-brand.ts'
import { useIsOfReseller } from '../session/use-session.ts'
import { Failure, Message } from '../shell/message.tsx'
import { readSimSearch } from './sim-search.ts'
import { SimStatusBadge, simStatuses, statusLabels } from './sim-status.tsx'
import { SyncBar } from './sync-bar.tsx'
import { UsageBar } from './usage-bar.tsx'

export function SimsPage() {
  usePageTitle('SIMs')
  const search = useSearch({ from: '/sims' })
  const isOfReseller = useIsOfReseller()
  const asked = useInfiniteQuery(simsQuery(search))
  const total = asked.data?.pages[0]?.total
  return (
    <div className="page">
      <Group justify="space-between" gap="sm">
        <Group gap="xs">
          <Title order={1} size="h2">
            SIMs
          </Title>
          {total !== undefined && (
            <Badge variant="light" color="gray">
              {total}
            </Badge>
          )}
        </Group>
        {isOfReseller && <SyncBar />}
      </Group>
      <Filters />
      <div className="panel">
        {asked.isPending && <Loader m="md" aria-label="Loading" />}
        {asked.data === undefined && asked.error !== null && <Failure title="The SIMs could not be loaded" error={asked.error} />}
        {asked.data !== undefined && (
          <SimTable sims={asked.data.pages.flatMap(({ sims }) => sims)} isFiltered={Object.keys(search).length > 0} />
        )}
        {asked.hasNextPage && (
          <Group p="sm">
            <Button variant="default" size="sm" loading={asked.isFetchingNextPage} onClick={() => void asked.fetchNextPage()}>
              Show more
            </Button>
          </Group>
        )}
      </div>
    </div>
  )
}

function Filters() {
  const { status, search } = useSearch({ from: '/sims' })
  const navigate = useNavigate({ from: '/sims' })
  const show = (changes: Record<string, unknown>) => void navigate({ search: readSimSearch({ status, search, ...changes }), replace: true })
  const showSoon = useDebouncedCallback((text: string) => show({ search: text }), 300)
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        label="Search"
        placeholder="ICCID, number or IMSI"
        defaultValue={search ?? ''}
        inputMode="numeric"
        onChange={({ currentTarget }) => showSoon(currentTarget.value)}
        w={260}
      />
      <Select
        label="State"
        placeholder="All"
        clearable
        value={status ?? null}
        data={simStatuses.map((value) => ({ value, label: statusLabels[value] }))}
        onChange={(value) => show({ status: value })}
        w={180}
      />
    </Group>
  )
}

function SimTable({ sims, isFiltered }: { sims: readonly Sim[]; isFiltered: boolean }) {
  if (sims.length === 0) {
    return isFiltered ? (
      <Message title="No SIM is like that">Choose another state, or search for other digits.</Message>
    ) : (
      <Message title="There are no SIMs yet">
        Connect the platform of your mobile-network operator, then synchronise: its SIMs appear here.
      </Message>
    )
  }
  return (
    <Table.ScrollContainer minWidth={760}>
      <Table highlightOnHover verticalSpacing={8} horizontalSpacing="sm">
        <Table.Caption className="visually-hidden">SIMs, with their state and what they used</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>ICCID</Table.Th>
            <Table.Th>Number</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Sub-client</Table.Th>
            <Table.Th>Device</Table.Th>
            <Table.Th>Data this cycle</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sims.map((sim) => (
            <Table.Tr key={sim.id}>
              <Table.Td>
                <Link to="/sims/$simId" params={{ simId: sim.id }} className="vehicle-link numbers">
                  {sim.iccid}
                </Link>
              </Table.Td>
              <Table.Td className="numbers">{sim.msisdn ?? <Missing />}</Table.Td>
              <Table.Td>
                <SimStatusBadge sim={sim} />
              </Table.Td>
              <Table.Td>{sim.sub_client_id ?? <Missing />}</Table.Td>
              <Table.Td>{sim.device_id ?? <Missing />}</Table.Td>
              <Table.Td>
                <UsageBar sim={sim} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Missing() {
  return (
    <Text span c="dimmed" aria-label="none">
      –
    </Text>
  )
}
