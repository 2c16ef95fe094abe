import { Button, Table } from '@mantine/core'
import type { VehicleGroup } from '@roadworthy/contracts/platform-v1/vehicle-groups'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { groupsQuery } from '../api/group-queries.ts'
import { subClientChoicesQuery } from '../api/sub-client-queries.ts'
import { useIsOfReseller, useMayChange } from '../session/use-session.ts'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { wholeNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { CreateGroupDialog } from './group-dialogs.tsx'

export function GroupsPage() {
  const asked = useQuery(groupsQuery)
  const mayChange = useMayChange()
  const [isCreating, setIsCreating] = useState(false)
  const groups = asked.data?.vehicleGroups
  return (
    <div className="page">
      <PageHeading title={t('Vehicle groups')} count={asked.data?.total}>
        {mayChange && groups !== undefined && groups.length > 0 && (
          <Button size="sm" onClick={() => setIsCreating(true)}>
            {t('New group')}
          </Button>
        )}
      </PageHeading>
      <div className="panel">
        {groups === undefined ? (
          <NotLoaded asked={asked} what={t('vehicle groups')} />
        ) : groups.length === 0 ? (
          <Message title={t('There are no groups yet')}>
            {t('A group is vehicles under a name, such as a depot or a contract. Notification rules and the fleet list can be about one.')}
            {mayChange && (
              <Button mt="md" display="block" mx="auto" onClick={() => setIsCreating(true)}>
                {t('New group')}
              </Button>
            )}
          </Message>
        ) : (
          <GroupTable groups={groups} />
        )}
      </div>
      {isCreating && <CreateGroupDialog onClose={() => setIsCreating(false)} />}
    </div>
  )
}

function GroupTable({ groups }: { groups: readonly VehicleGroup[] }) {
  const isOfReseller = useIsOfReseller()
  const subClients = useQuery({ ...subClientChoicesQuery, enabled: isOfReseller }).data?.subClients ?? []
  const names = new Map(subClients.map(({ id, name }) => [id, name]))
  const inOrder = [...groups].sort((a, b) => a.name.localeCompare(b.name))
  return (
    <Table highlightOnHover verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('Groups, with how many vehicles are in them')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Name')}</Table.Th>
          {isOfReseller && <Table.Th>{t('Sub-client')}</Table.Th>}
          <Table.Th ta="right">{t('Vehicles')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {inOrder.map(({ id, name, subClientId, vehicleCount }) => (
          <Table.Tr key={id}>
            <Table.Td className="breaking">
              <Link to="/groups/$groupId" params={{ groupId: id }} className="vehicle-link breaking">
                {name}
              </Link>
            </Table.Td>
            {isOfReseller && (
              <Table.Td className="breaking">
                {subClientId === null ? t('The whole fleet') : (names.get(subClientId) ?? subClientId)}
              </Table.Td>
            )}
            <Table.Td ta="right" className="numbers">
              {wholeNumber(vehicleCount)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
