import { Box, Button, Group, Select, Table, Text, TextInput } from '@mantine/core'
import type { AuditEntry } from '@roadworthy/contracts/platform-v1/audit'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { apiKeysQuery } from '../api/api-key-queries.ts'
import { auditQuery, peopleQuery } from '../api/people-queries.ts'
import type { Names } from '../notifications/rule-summary.ts'
import { useNames } from '../notifications/use-names.ts'
import { Message } from '../shell/message.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { type AuditSearch, readAuditSearch } from './audit-search.ts'
import { actionText, actorText, currencyOf, fieldText, isSecret, objectPage, objectText, valueText } from './audit-text.ts'
import { actionWords } from './audit-words.ts'

export function AuditPage() {
  const search = useSearch({ from: '/settings/audit' })
  const asked = useInfiniteQuery(auditQuery(search))
  return (
    <>
      <PageHeading title={t('Audit log')} count={asked.data?.pages[0]?.total} />
      {/* Begun anew where a link of the table changed the filters. */}
      <Filters key={JSON.stringify(search)} search={search} />
      <PagedPanel asked={asked} what={t('audit log')}>
        {(pages) => (
          <EntryTable
            entries={pages.flatMap(({ entries }) => entries)}
            things={pages.flatMap((page) => Object.entries(page.names))}
            search={search}
          />
        )}
      </PagedPanel>
    </>
  )
}

function Filters({ search }: { search: AuditSearch }) {
  const navigate = useNavigate({ from: '/settings/audit' })
  const show = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void navigate({ search: readAuditSearch(Object.fromEntries(new FormData(event.currentTarget))) })
  }
  return (
    <form onSubmit={show}>
      <Group gap="sm" align="flex-end">
        <Choice name="actor" label={t('Who')} chosen={search.actor} options={useActors()} />
        <Choice name="action" label={t('What')} chosen={search.action} options={actions} />
        <TextInput name="objectId" label={t('Of what (id)')} defaultValue={search.objectId} maxLength={200} autoComplete="off" w={220} />
        <TextInput name="since" label={t('Since')} type="date" defaultValue={search.since} w={160} />
        <Button type="submit">{t('Show')}</Button>
        {Object.keys(search).length > 0 && (
          <Button variant="default" onClick={() => void navigate({ search: {} })}>
            {t('Show all')}
          </Button>
        )}
      </Group>
    </form>
  )
}

const actions = Object.entries(actionWords).map(([value, label]) => ({ value, label }))

/** People and keys of the account. Other authors, such as the command line, are chosen by a link of the table. */
function useActors(): { value: string; label: string }[] {
  const people = useInfiniteQuery(peopleQuery).data?.pages.flatMap(({ users }) => users) ?? []
  const keys = useInfiniteQuery(apiKeysQuery).data?.pages.flatMap(({ apiKeys }) => apiKeys) ?? []
  return [
    ...people.map(({ id, email }) => ({ value: id, label: email })),
    ...keys.map(({ id, name }) => ({ value: id, label: t('Key {who}', { who: name }) })),
  ]
}

type ChoiceProps = {
  name: 'actor' | 'action'
  label: string
  chosen: string | undefined
  options: readonly { value: string; label: string }[]
}

function Choice({ name, label, chosen, options }: ChoiceProps) {
  const isListed = chosen === undefined || options.some(({ value }) => value === chosen)
  return (
    <Select
      name={name}
      label={label}
      placeholder={t('All')}
      data={isListed ? [...options] : [{ value: chosen, label: name === 'action' ? actionText(chosen) : chosen }, ...options]}
      defaultValue={chosen ?? null}
      searchable
      clearable
      w={240}
    />
  )
}

type EntryTableProps = { entries: readonly AuditEntry[]; things: readonly (readonly [id: string, name: string])[]; search: AuditSearch }

function EntryTable({ entries, things, search }: EntryTableProps) {
  const names = new Map([...things, ...useNames()])
  if (entries.length === 0) return <Message title={t('Nothing of this kind was done')}>{t('Show all, or choose an earlier day.')}</Message>
  return (
    <Table verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('What was changed, newest first')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('When and who')}</Table.Th>
          <Table.Th>{t('What')}</Table.Th>
          <Table.Th visibleFrom="md">{t('Before and after')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} search={search} names={names} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** Who, what and of what are links that narrow the list down to it. */
function EntryRow({ entry, search, names }: { entry: AuditEntry; search: AuditSearch; names: Names }) {
  const { at, actor, action, objectId, subClientId, changes, address } = entry
  const page = objectPage(action, objectId)
  const narrowed = (more: AuditSearch) => ({ to: '/settings/audit', search: { ...search, ...more } }) as const
  return (
    <Table.Tr className="top">
      <Table.Td className="breaking">
        <TimeAgo time={at} />
        <Text size="sm">
          <Link {...narrowed({ actor: actor.id })}>{actorText(actor)}</Link>
        </Text>
        {address !== null && (
          <Text size="xs" c="dimmed">
            {t('from {address}', { address })}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="breaking">
        <Link {...narrowed({ action })}>{actionText(action)}</Link>
        <Text size="xs">
          <Link {...narrowed({ objectId })}>{objectText(action, objectId, names)}</Link>
          {subClientId !== null && t(' of {subClientId}', { subClientId: names.get(subClientId) ?? subClientId })}
          {page !== undefined && (
            <>
              {' · '}
              <Link to={page}>{t('Go to it')}</Link>
            </>
          )}
        </Text>
        <Box hiddenFrom="md">
          <Changes changes={changes} names={names} />
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="md" className="breaking" maw={560}>
        <Changes changes={changes} names={names} />
      </Table.Td>
    </Table.Tr>
  )
}

function Changes({ changes, names }: { changes: AuditEntry['changes']; names: Names }) {
  return (
    <>
      {Object.entries(changes).map(([field, change]) => (
        <Text key={field} size="sm">
          <Text span c="dimmed" size="sm">
            {fieldText(field)}:{' '}
          </Text>
          {isSecret(change) ? (
            t('not shown')
          ) : (
            <>
              {change.from !== undefined && change.from !== null && (
                <>
                  <del>{valueText(change.from, field, names, currencyOf(changes, 'from'))}</del> →{' '}
                </>
              )}
              {valueText(change.to, field, names, currencyOf(changes, 'to'))}
            </>
          )}
        </Text>
      ))}
    </>
  )
}
