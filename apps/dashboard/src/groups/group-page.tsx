import { Button, Group, Table, Text, Title } from '@mantine/core'
import type { VehicleGroup } from '@roadworthy/contracts/platform-v1/vehicle-groups'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { fleetListQuery } from '../api/fleet-queries.ts'
import { groupQuery, useChangeGroup } from '../api/group-queries.ts'
import { usePageTitle } from '../brand/use-brand.ts'
import { VehiclesSelect } from '../fleet/vehicles-select.tsx'
import { conditionOf } from '../health/condition.ts'
import { HealthBadge } from '../health/health-badge.tsx'
import { useMayChange } from '../session/use-session.ts'
import { useDialog } from '../shell/dialogs.tsx'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { showNotice } from '../shell/notice.ts'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { vehicleLabel } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { DeleteGroupDialog, MAX_AT_ONCE, RenameGroupDialog } from './group-dialogs.tsx'

export function GroupPage() {
  const { groupId } = useParams({ from: '/groups/$groupId' })
  const asked = useQuery(groupQuery(groupId))
  const mayChange = useMayChange()
  usePageTitle(asked.data?.name ?? t('Vehicle group'))
  if (asked.data === undefined) return <NotLoaded asked={asked} what={t('vehicle group')} isPage />
  const group = asked.data
  return (
    <div className="page">
      <Head group={group} mayChange={mayChange} />
      {mayChange && <AddPanel key={group.id} group={group} />}
      <Members group={group} mayChange={mayChange} />
    </div>
  )
}

function Head({ group, mayChange }: { group: VehicleGroup; mayChange: boolean }) {
  const openDialog = useDialog()
  const rename = () => openDialog((close) => <RenameGroupDialog group={group} onClose={close} />)
  const remove = () => openDialog((close) => <DeleteGroupDialog group={group} onClose={close} />)
  return (
    <Group justify="space-between" gap="sm">
      <div>
        <Text size="sm">
          <Link to="/groups">{t('Vehicle groups')}</Link>
        </Text>
        <Title order={1} size="h2" className="breaking">
          {group.name}
        </Title>
      </div>
      <Group gap="xs">
        <Button variant="default" size="sm" renderRoot={(props) => <Link {...props} to="/fleet" search={{ groupId: group.id }} />}>
          {t('On the map')}
        </Button>
        {mayChange && (
          <>
            <Button variant="default" size="sm" onClick={rename}>
              {t('Rename')}
            </Button>
            <Button variant="default" size="sm" onClick={remove}>
              {t('Delete')}
            </Button>
          </>
        )}
      </Group>
    </Group>
  )
}

function AddPanel({ group }: { group: VehicleGroup }) {
  const change = useChangeGroup(group.id)
  const [vehicleIds, setVehicleIds] = useState<string[]>([])
  const field = useRef<HTMLInputElement>(null)
  const add = () =>
    change.mutate(
      { addVehicleIds: vehicleIds },
      {
        onSuccess: () => {
          setVehicleIds([])
          // The button is disabled now; the person goes on typing to add another.
          field.current?.focus()
        },
      },
    )
  return (
    <Panel title={t('Add vehicles')}>
      <Group gap="sm" align="flex-end">
        <VehiclesSelect
          ref={field}
          openOnFocus={false}
          flex={1}
          miw={220}
          label={t('Vehicles')}
          placeholder={vehicleIds.length === 0 ? t('Plate or name') : ''}
          clearable
          maxValues={MAX_AT_ONCE}
          value={vehicleIds}
          isOffered={(vehicle) => group.subClientId === null || vehicle.subClientId === group.subClientId}
          onChange={setVehicleIds}
        />
        <Button size="sm" loading={change.isPending} disabled={vehicleIds.length === 0} onClick={add}>
          {t('Add')}
        </Button>
      </Group>
      <Refusal error={change.error} />
    </Panel>
  )
}

const BY_NAME = { sort: 'name', order: 'asc' } as const

function Members({ group, mayChange }: { group: VehicleGroup; mayChange: boolean }) {
  const asked = useInfiniteQuery(fleetListQuery({ groupId: group.id }, BY_NAME))
  return (
    <section aria-labelledby="members" className="stacked">
      <Title order={2} size="h4" id="members" tabIndex={-1}>
        {t('{count, plural, one {# vehicle} other {# vehicles}}', { count: asked.data?.pages[0]?.total ?? group.vehicleCount })}
      </Title>
      <PagedPanel asked={asked} what={t('vehicles')}>
        {(pages) => <MemberTable group={group} vehicles={pages.flatMap((page) => page.vehicles)} mayChange={mayChange} />}
      </PagedPanel>
    </section>
  )
}

type MemberTableProps = { group: VehicleGroup; vehicles: readonly Vehicle[]; mayChange: boolean }

function MemberTable({ group, vehicles, mayChange }: MemberTableProps) {
  if (vehicles.length === 0) {
    return <Message title={t('No vehicle is in the group')}>{mayChange && t('Add some above. Retired vehicles do not count.')}</Message>
  }
  return (
    <Table verticalSpacing={6} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('Vehicles of the group')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Vehicle')}</Table.Th>
          <Table.Th>{t('Health')}</Table.Th>
          {mayChange && <Table.Th ta="right">{t('Actions')}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {vehicles.map((vehicle) => (
          <MemberRow key={vehicle.id} group={group} vehicle={vehicle} mayChange={mayChange} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function MemberRow({ group, vehicle, mayChange }: { group: VehicleGroup; vehicle: Vehicle; mayChange: boolean }) {
  const change = useChangeGroup(group.id)
  const name = vehicleLabel(vehicle)
  const remove = async () => {
    await change.mutateAsync({ removeVehicleIds: [vehicle.id] })
    // The row with the button is gone, and with it whatever waits for its answer in another way.
    document.getElementById('members')?.focus()
    showNotice({
      text: t('{vehicle} is no longer in {group}', { vehicle: name, group: group.name }),
      undo: () => change.mutateAsync({ addVehicleIds: [vehicle.id] }),
    })
  }
  return (
    <Table.Tr>
      <Table.Td className="breaking">
        <Link to="/vehicles/$vehicleId" params={{ vehicleId: vehicle.id }} className="vehicle-link breaking">
          {name}
        </Link>
        <Text size="xs" c="dimmed">
          {[vehicle.make, vehicle.model, vehicle.year].filter((each) => each !== null).join(' ')}
        </Text>
      </Table.Td>
      <Table.Td>
        <HealthBadge condition={conditionOf(vehicle)} size="sm" />
      </Table.Td>
      {mayChange && (
        <Table.Td ta="right">
          <Button
            size="xs"
            variant="default"
            loading={change.isPending}
            onClick={() => void remove().catch(() => undefined)}
            aria-label={t('Remove: {name}', { name })}
          >
            {t('Remove')}
          </Button>
          <Refusal error={change.error} />
        </Table.Td>
      )}
    </Table.Tr>
  )
}
