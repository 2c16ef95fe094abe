import { Button, Table, Text } from '@mantine/core'
import type { User } from '@roadworthy/contracts/platform-v1/users'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { peopleQuery } from '../api/people-queries.ts'
import { sessionQuery } from '../api/queries.ts'
import { CheckIcon, ClockIcon, LockIcon } from '../shell/icons.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { useSubClientNames } from '../sub-clients/sub-client-name.tsx'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { InvitePerson } from './invite-person.tsx'
import { PersonActions } from './person-actions.tsx'
import { roleWords } from './roles.ts'

const looks: Readonly<Record<User['status'], StatusLook & { readonly word: string }>> = {
  active: { color: 'green', Icon: CheckIcon, word: t('Active') },
  invited: { color: 'blue', Icon: ClockIcon, word: t('Invited') },
  deactivated: { color: 'gray', Icon: LockIcon, word: t('Disabled') },
}

export function PeoplePage() {
  const asked = useInfiniteQuery(peopleQuery)
  const [isInviting, setIsInviting] = useState(false)
  return (
    <>
      <PageHeading title={t('People')} count={asked.data?.pages[0]?.total}>
        <Button size="sm" onClick={() => setIsInviting(true)}>
          {t('Invite')}
        </Button>
      </PageHeading>
      <PagedPanel asked={asked} what={t('people')}>
        {(pages) => <PeopleTable people={pages.flatMap(({ users }) => users)} />}
      </PagedPanel>
      {isInviting && <InvitePerson onClose={() => setIsInviting(false)} />}
    </>
  )
}

function PeopleTable({ people }: { people: readonly User[] }) {
  const ownId = useQuery(sessionQuery).data?.session?.userId
  return (
    <Table verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('People who sign in')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Person')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Role')}</Table.Th>
          <Table.Th visibleFrom="md">{t('Since')}</Table.Th>
          <Table.Th>
            <span className="visually-hidden">{t('Actions')}</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {people.map((person) => (
          <PersonRow key={person.id} person={person} isSelf={person.id === ownId} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** Nobody shuts themselves out by a slip: another owner can. */
function PersonRow({ person, isSelf }: { person: User; isSelf: boolean }) {
  const { email, role, subClientId, status, createdAt } = person
  const nameOf = useSubClientNames()
  const { label, may } = roleWords(role)
  const ofWhom = subClientId === null ? '' : t(' of {subClientId}', { subClientId: nameOf(subClientId) })
  return (
    <Table.Tr>
      <Table.Td className="breaking">
        <Text fw={650} size="sm">
          {email}
          {isSelf && t(' (you)')}
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {label}
          {ofWhom}
        </Text>
        <StatusBadge look={looks[status]} size="sm">
          {looks[status].word}
        </StatusBadge>
      </Table.Td>
      <Table.Td visibleFrom="sm" maw={420}>
        {label}
        {ofWhom}
        <Text size="xs" c="dimmed">
          {may}
        </Text>
      </Table.Td>
      <Table.Td className="nowrap" visibleFrom="md">
        <TimeAgo time={createdAt} />
      </Table.Td>
      <Table.Td>{!isSelf && <PersonActions person={person} />}</Table.Td>
    </Table.Tr>
  )
}
