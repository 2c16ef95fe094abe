import { Button, Group, Select, Table, Text, TextInput } from '@mantine/core'
import type { SubClient } from '@roadworthy/contracts/platform-v1/sub-clients'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { subClientsQuery } from '../api/sub-client-queries.ts'
import { useIsOfReseller, useMayChange } from '../session/use-session.ts'
import { Message } from '../shell/message.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { useTypedSearch } from '../shell/use-typed-search.ts'
import { t } from '../text/translate.ts'
import { CreateDialog } from './create-dialog.tsx'
import { readSubClientSearch, subClientStatuses } from './sub-client-search.ts'
import { deviceCountText, SubClientStatusBadge, subClientStatusLabels } from './sub-client-status.tsx'

export function SubClientsPage() {
  const search = useSearch({ from: '/sub-clients' })
  const asked = useInfiniteQuery(subClientsQuery(search))
  const mayCreate = [useMayChange(), useIsOfReseller()].every(Boolean)
  const [isCreating, setCreating] = useState(false)
  return (
    <div className="page">
      <PageHeading title={t('Sub-clients')} count={asked.data?.pages[0]?.total}>
        {mayCreate && (
          <Button size="sm" onClick={() => setCreating(true)}>
            {t('Create a sub-client')}
          </Button>
        )}
      </PageHeading>
      <Filters />
      <PagedPanel asked={asked} what={t('sub-clients')}>
        {(pages) => (
          <SubClientTable subClients={pages.flatMap(({ subClients }) => subClients)} isFiltered={Object.keys(search).length > 0} />
        )}
      </PagedPanel>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </div>
  )
}

function Filters() {
  const current = useSearch({ from: '/sub-clients' })
  const navigate = useNavigate({ from: '/sub-clients' })
  const show = (changes: Record<string, unknown>) =>
    void navigate({ search: readSubClientSearch({ ...current, ...changes }), replace: true })
  const { typed, type } = useTypedSearch(
    current.search ?? '',
    (text) => readSubClientSearch({ search: text }).search ?? '',
    (text) => show({ search: text }),
  )
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        label={t('Search')}
        placeholder={t('Name or id')}
        value={typed}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        w={260}
      />
      <Select
        label={t('State')}
        placeholder={t('All')}
        clearable
        value={current.status ?? null}
        data={subClientStatuses.map((value) => ({ value, label: subClientStatusLabels[value] }))}
        onChange={(value) => show({ status: value })}
        w={180}
      />
    </Group>
  )
}

function SubClientTable({ subClients, isFiltered }: { subClients: readonly SubClient[]; isFiltered: boolean }) {
  if (subClients.length === 0 && isFiltered)
    return <Message title={t('No sub-client matches')}>{t('Take a filter away, or search for another name.')}</Message>
  if (subClients.length === 0) {
    return (
      <Message title={t('There are no sub-clients yet')}>
        {t('A sub-client is a customer of yours, or a part of the fleet, with devices, people and limits of its own.')}
      </Message>
    )
  }
  return (
    <Table highlightOnHover verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('Sub-clients, with how many devices and vehicles they have')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Name')}</Table.Th>
          <Table.Th>{t('State')}</Table.Th>
          <Table.Th ta="right">{t('Devices')}</Table.Th>
          <Table.Th ta="right" visibleFrom="sm">
            {t('Vehicles')}
          </Table.Th>
          <Table.Th visibleFrom="md">{t('Contact')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {subClients.map(({ id, name, status, deviceCount, vehicleCount, contactEmail, limits }) => (
          <Table.Tr key={id}>
            <Table.Td className="breaking">
              <Link to="/sub-clients/$subClientId" params={{ subClientId: id }} className="vehicle-link breaking">
                {name}
              </Link>
              <Text size="xs" c="dimmed">
                {id}
              </Text>
            </Table.Td>
            <Table.Td>
              <SubClientStatusBadge status={status} />
            </Table.Td>
            <Table.Td ta="right" className="numbers">
              {deviceCountText(deviceCount, limits.devices)}
            </Table.Td>
            <Table.Td ta="right" className="numbers" visibleFrom="sm">
              {vehicleCount}
            </Table.Td>
            <Table.Td className="breaking" visibleFrom="md">
              {contactEmail}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
