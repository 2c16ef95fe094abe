import { Button, Group, Select, Table, Text, TextInput } from '@mantine/core'
import type { Device } from '@roadworthy/contracts/platform-v1/devices'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { devicesQuery } from '../api/device-queries.ts'
import { subClientChoicesQuery } from '../api/sub-client-queries.ts'
import { useIsOfReseller, useMayChange } from '../session/use-session.ts'
import { Message } from '../shell/message.tsx'
import { Missing } from '../shell/missing.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { useTypedSearch } from '../shell/use-typed-search.ts'
import { SubClientName } from '../sub-clients/sub-client-name.tsx'
import { vehicleLabel } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t, tRich } from '../text/translate.ts'
import { devicePresences, deviceStatuses, readDeviceSearch } from './device-search.ts'
import { DeviceStatusBadge, PresenceBadge, presenceLabels, statusLabels } from './device-status.tsx'

export function DevicesPage() {
  const search = useSearch({ from: '/devices' })
  const asked = useInfiniteQuery(devicesQuery(search))
  const mayChange = useMayChange()
  return (
    <div className="page">
      <PageHeading title={t('Devices')} count={asked.data?.pages[0]?.total}>
        {mayChange && <AddLinks />}
      </PageHeading>
      <Filters />
      <PagedPanel asked={asked} what={t('devices')}>
        {(pages) => <DeviceTable devices={pages.flatMap(({ devices }) => devices)} isFiltered={Object.keys(search).length > 0} />}
      </PagedPanel>
    </div>
  )
}

function AddLinks() {
  return (
    <Group gap="xs">
      <Button size="sm" variant="default" renderRoot={(props) => <Link {...props} to="/devices/import" />}>
        {t('Import')}
      </Button>
      <Button size="sm" renderRoot={(props) => <Link {...props} to="/devices/new" />}>
        {t('Register a device')}
      </Button>
    </Group>
  )
}

function Filters() {
  const current = useSearch({ from: '/devices' })
  const navigate = useNavigate({ from: '/devices' })
  const isOfReseller = useIsOfReseller()
  const show = (changes: Record<string, unknown>) => void navigate({ search: readDeviceSearch({ ...current, ...changes }), replace: true })
  const { typed, type } = useTypedSearch(
    current.search ?? '',
    (text) => readDeviceSearch({ search: text }).search ?? '',
    (text) => show({ search: text }),
  )
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        label={t('Search')}
        placeholder={t('Name, IMEI, plate or SIM number')}
        value={typed}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        w={260}
      />
      <Select
        label={t('Connection')}
        placeholder={t('All')}
        clearable
        value={current.presence ?? null}
        data={devicePresences.map((value) => ({ value, label: presenceLabels[value] }))}
        onChange={(value) => show({ presence: value })}
        w={150}
      />
      <Select
        label={t('State')}
        placeholder={t('All')}
        clearable
        value={current.status ?? null}
        data={deviceStatuses.map((value) => ({ value, label: statusLabels[value] }))}
        onChange={(value) => show({ status: value })}
        w={170}
      />
      {isOfReseller && <SubClientFilter value={current.subClientId ?? null} onChange={(value) => show({ subClientId: value })} />}
    </Group>
  )
}

function SubClientFilter({ value, onChange }: { value: string | null; onChange: (value: string | null) => void }) {
  const choices = useQuery(subClientChoicesQuery).data?.subClients ?? []
  return (
    <Select
      label={t('Sub-client')}
      placeholder={t('All')}
      clearable
      searchable
      value={value}
      data={choices.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={onChange}
      w={200}
    />
  )
}

function DeviceTable({ devices, isFiltered }: { devices: readonly Device[]; isFiltered: boolean }) {
  const mayChange = useMayChange()
  if (devices.length === 0 && isFiltered)
    return <Message title={t('No device matches')}>{t('Take a filter away, or search for something else.')}</Message>
  if (devices.length === 0) {
    return (
      <Message title={t('There are no devices yet')}>
        {mayChange
          ? tRich('<a>Register the first one</a>, or <many>import a list</many>: you get the credentials, and see here when they report.', {
              a: (inner) => <Link to="/devices/new">{inner}</Link>,
              many: (inner) => <Link to="/devices/import">{inner}</Link>,
            })
          : t('They appear here when somebody who may registers them.')}
      </Message>
    )
  }
  return (
    <Table highlightOnHover verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('Devices, with their connection and vehicle')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Device')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('State')}</Table.Th>
          <Table.Th>{t('Connection')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Last message')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Vehicle')}</Table.Th>
          <Table.Th visibleFrom="md">{t('Sub-client')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function DeviceRow({ device }: { device: Device }) {
  const { id, name, imei, vehicle, subClientId, status, lastSeenAt } = device
  return (
    <Table.Tr>
      <Table.Td>
        <Link to="/devices/$deviceId" params={{ deviceId: id }} className="vehicle-link breaking">
          {name ?? imei ?? id}
        </Link>
        <Text size="xs" c="dimmed" className="breaking numbers">
          {name === null ? id : (imei ?? id)}
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="sm" className="breaking">
          {vehicle === null ? t('No vehicle') : vehicleLabel(vehicle)}
          {status !== 'active' && ` · ${statusLabels[status]}`}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <DeviceStatusBadge status={status} />
      </Table.Td>
      <Table.Td>
        <PresenceBadge device={device} />
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          <TimeAgo time={lastSeenAt} />
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <TimeAgo time={lastSeenAt} />
      </Table.Td>
      <Table.Td visibleFrom="sm" className="breaking">
        {vehicle === null ? (
          <Missing />
        ) : (
          <Link to="/vehicles/$vehicleId" params={{ vehicleId: vehicle.id }}>
            {vehicleLabel(vehicle)}
          </Link>
        )}
      </Table.Td>
      <Table.Td visibleFrom="md" className="breaking">
        {subClientId === null ? <Missing /> : <SubClientName subClientId={subClientId} />}
      </Table.Td>
    </Table.Tr>
  )
}
