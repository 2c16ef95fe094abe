import { Button, Group, Select, Table, Text, TextInput } from '@mantine/core'
import type { LoggedRequest } from '@roadworthy/contracts/platform-v1/request-log'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { keyNamesQuery, requestsQuery } from '../api/request-queries.ts'
import { Message } from '../shell/message.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { useTypedSearch } from '../shell/use-typed-search.ts'
import { wholeNumber } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t, tRich } from '../text/translate.ts'
import { AnswerBadge } from './answer-badge.tsx'
import { RequestDetails } from './request-details.tsx'
import { type AnswerKind, answerKinds, type RequestSearch, readRequestSearch } from './request-search.ts'

const kindLabels: Readonly<Record<AnswerKind, string>> = {
  refused: t('Refused or failed'),
  '4xx': t('Refused (4xx)'),
  '5xx': t('Failed (5xx)'),
  '2xx': t('Successful (2xx)'),
}

export function RequestsPage() {
  const search = useSearch({ from: '/settings/requests' })
  const asked = useInfiniteQuery(requestsQuery(search))
  const kept = asked.data?.pages[0]
  return (
    <>
      <PageHeading title={t('Request log')} />
      <Text size="sm" c="dimmed">
        {t('The last calls of your API keys on every API. What people do in the dashboard and what devices send over MQTT is not in it.')}{' '}
        {kept !== undefined &&
          t(
            'Kept for {days, plural, one {# day} other {# days}}, of each key {count} refused and {count} other calls at most; of a key that calls all the time successful calls are sampled.',
            {
              days: kept.keptDays,
              count: wholeNumber(kept.keptOfKey),
            },
          )}
      </Text>
      <Filters search={search} />
      <PagedPanel asked={asked} what={t('request log')}>
        {(pages) => <RequestTable requests={pages.flatMap(({ requests }) => requests)} search={search} />}
      </PagedPanel>
    </>
  )
}

function Filters({ search }: { search: RequestSearch }) {
  const navigate = useNavigate({ from: '/settings/requests' })
  const names = useQuery(keyNamesQuery).data
  const show = (changes: Record<string, unknown>) => void navigate({ search: readRequestSearch({ ...search, ...changes }), replace: true })
  const { typed, type } = useTypedSearch(
    search.find ?? '',
    (find) => readRequestSearch({ find }).find ?? '',
    (find) => show({ find }),
  )
  const keys = [...(names ?? [])].map(([value, label]) => ({ value, label }))
  const isKnown = search.keyId === undefined || names?.has(search.keyId) === true
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        label={t('Request id or path')}
        placeholder="/api/external/telemetry"
        value={typed}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        w={300}
      />
      <Select
        label={t('API key')}
        placeholder={t('All')}
        clearable
        searchable
        value={search.keyId ?? null}
        data={isKnown ? keys : [...keys, { value: search.keyId ?? '', label: search.keyId ?? '' }]}
        onChange={(keyId) => show({ keyId })}
        w={240}
      />
      <Select
        label={t('Answer')}
        placeholder={t('All')}
        clearable
        value={search.status ?? null}
        data={answerKinds.map((value) => ({ value, label: kindLabels[value] }))}
        onChange={(status) => show({ status })}
        w={190}
      />
    </Group>
  )
}

function RequestTable({ requests, search }: { requests: readonly LoggedRequest[]; search: RequestSearch }) {
  const names = useQuery(keyNamesQuery).data
  const [openId, setOpenId] = useState<string>()
  if (requests.length === 0) return <NothingFound search={search} />
  return (
    <Table verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('Calls of API keys, newest first')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Call')}</Table.Th>
          <Table.Th>{t('Answer')}</Table.Th>
          <Table.Th visibleFrom="md">{t('Key')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('When')}</Table.Th>
          <Table.Th>
            <span className="visually-hidden">{t('Details')}</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {requests.map((request) => {
          const isOpen = openId === request.id
          return (
            <Fragment key={request.id}>
              <RequestRow
                request={request}
                keyName={names?.get(request.keyId)}
                isOpen={isOpen}
                onToggle={() => setOpenId(isOpen ? undefined : request.id)}
              />
              {isOpen && (
                <Table.Tr id={`details-${request.id}`}>
                  <Table.Td colSpan={5}>
                    <RequestDetails request={request} keyName={names?.get(request.keyId)} />
                  </Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}

function NothingFound({ search }: { search: RequestSearch }) {
  if (search.find !== undefined && !search.find.startsWith('/')) {
    return (
      <Message title={t('No call has this request id')}>
        {t(
          'Paste the whole of X-Request-Id, or of request_id in an error. A call is here a second after its answer; those of the dashboard itself are not.',
        )}
      </Message>
    )
  }
  if (Object.keys(search).length > 0)
    return <Message title={t('No call matches')}>{t('Take a filter away, or search for something else.')}</Message>
  return (
    <Message title={t('No API key has made a call yet')}>
      {tRich('Take one of your <keys>API keys</keys> and make the first: you see here what became of it.', {
        keys: (inner) => <Link to="/settings/api-keys">{inner}</Link>,
      })}
    </Message>
  )
}

/** Where a line is too short, it goes on behind a slash and not in the middle of a word. */
function PathText({ path }: { path: string }) {
  return path.split(/(?<=[/?&])/).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other name than their place.
    <Fragment key={i}>
      {part}
      <wbr />
    </Fragment>
  ))
}

type RequestRowProps = { request: LoggedRequest; keyName: string | undefined; isOpen: boolean; onToggle: () => void }

function RequestRow({ request, keyName, isOpen, onToggle }: RequestRowProps) {
  const { id, at, method, path, status, durationMs, error, keyId } = request
  return (
    <Table.Tr className="top">
      <Table.Td className="breaking">
        <Text size="sm" className="code">
          <b>{method}</b> <PathText path={path} />
        </Text>
        {error !== null && <Text size="sm">{error.message}</Text>}
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          <TimeAgo time={at} />
        </Text>
      </Table.Td>
      <Table.Td className="nowrap">
        <AnswerBadge status={status} />
        <Text size="xs" c="dimmed" className="numbers">
          {t('{ms} ms', { ms: wholeNumber(durationMs) })}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md" className="breaking">
        <Link to="/settings/requests" search={{ keyId }}>
          {keyName ?? keyId}
        </Link>
      </Table.Td>
      <Table.Td visibleFrom="sm" className="nowrap">
        <TimeAgo time={at} />
      </Table.Td>
      <Table.Td>
        <Button
          size="xs"
          variant="default"
          aria-expanded={isOpen}
          {...(isOpen ? { 'aria-controls': `details-${id}` } : {})}
          aria-label={t('Details of {method} {path}', { method, path })}
          onClick={onToggle}
        >
          {t('Details')}
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}
