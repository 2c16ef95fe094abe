import { Button, Checkbox, Table, Text } from '@mantine/core'
import type { ApiKey } from '@roadworthy/contracts/platform-v1/api-keys'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { apiKeyMakersQuery, apiKeysQuery } from '../api/api-key-queries.ts'
import { CheckIcon, ClockIcon, CrossIcon, WarningIcon } from '../shell/icons.tsx'
import { Message } from '../shell/message.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { useSubClientNames } from '../sub-clients/sub-client-name.tsx'
import { ShortTime } from '../text/short-time.tsx'
import { TimeAgo } from '../text/time-ago.tsx'
import { t, tRich } from '../text/translate.ts'
import { useNow } from '../text/use-now.ts'
import { ApiKeyActions } from './api-key-actions.tsx'
import { scopesText } from './api-key-scopes.ts'
import { type ApiKeyState, apiKeyState, doesWork } from './api-key-state.ts'
import { CreateApiKey } from './create-api-key.tsx'

const looks: Readonly<Record<ApiKeyState, StatusLook>> = {
  working: { color: 'green', Icon: CheckIcon },
  ending: { color: 'orange', Icon: WarningIcon },
  expired: { color: 'gray', Icon: ClockIcon },
  revoked: { color: 'gray', Icon: CrossIcon, variant: 'outline' },
}

const stateWords: Readonly<Record<ApiKeyState, string>> = {
  working: t('Working'),
  ending: t('Ending'),
  expired: t('Expired'),
  revoked: t('Revoked'),
}

export function ApiKeysPage() {
  const asked = useInfiniteQuery(apiKeysQuery)
  const { ended = false } = useSearch({ from: '/settings/api-keys' })
  const navigate = useNavigate({ from: '/settings/api-keys' })
  const [isCreating, setIsCreating] = useState(false)
  return (
    <>
      <PageHeading title={t('API keys')} count={asked.data?.pages[0]?.total}>
        <Button size="sm" onClick={() => setIsCreating(true)}>
          {t('New key')}
        </Button>
      </PageHeading>
      <Checkbox
        label={t('Also those that do not work any more')}
        checked={ended}
        onChange={(event) => void navigate({ search: event.currentTarget.checked ? { ended: true } : {}, replace: true })}
      />
      <PagedPanel asked={asked} what={t('API keys')}>
        {(pages) => <KeyTable apiKeys={pages.flatMap(({ apiKeys }) => apiKeys)} isWithEnded={ended} />}
      </PagedPanel>
      {isCreating && <CreateApiKey onClose={() => setIsCreating(false)} />}
    </>
  )
}

function KeyTable({ apiKeys, isWithEnded }: { apiKeys: readonly ApiKey[]; isWithEnded: boolean }) {
  const nowMs = useNow()
  const makers = useQuery(apiKeyMakersQuery).data
  const shown = apiKeys.filter((apiKey) => isWithEnded || doesWork(apiKeyState(apiKey, nowMs)))
  if (shown.length === 0) return <Message title={t('No key works here')}>{t('Make one with “New key” above.')}</Message>
  return (
    <Table verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('API keys')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Key')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('May')}</Table.Th>
          <Table.Th visibleFrom="md">{t('Last used')}</Table.Th>
          <Table.Th visibleFrom="md">{t('Made by')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Ends')}</Table.Th>
          <Table.Th>
            <span className="visually-hidden">{t('Actions')}</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {shown.map((apiKey) => (
          <KeyRow key={apiKey.id} apiKey={apiKey} maker={makers?.get(apiKey.id)} state={apiKeyState(apiKey, nowMs)} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function KeyRow({ apiKey, maker, state }: { apiKey: ApiKey; maker: string | undefined; state: ApiKeyState }) {
  const { name, prefix, last4, scopes, subClientId, lastUsedAt, createdAt, expiresAt } = apiKey
  const nameOf = useSubClientNames()
  return (
    <Table.Tr>
      <Table.Td className="breaking">
        <Text fw={650} size="sm">
          {name}
        </Text>
        <Text size="xs" className="numbers nowrap">
          {prefix}…{last4}
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {scopesText(scopes)}
          {subClientId !== null && t(', only of {subClientId}', { subClientId: nameOf(subClientId) })}
          {expiresAt !== null && <>{tRich(', ends {time}', { time: <ShortTime time={expiresAt} /> })}</>}
        </Text>
        <StatusBadge look={looks[state]} size="sm">
          {stateWords[state]}
        </StatusBadge>{' '}
        <Link to="/settings/requests" search={{ keyId: apiKey.id }}>
          {t('Its calls')}
        </Link>
      </Table.Td>
      <Table.Td className="breaking" visibleFrom="sm" maw={320}>
        {scopesText(scopes)}
        {subClientId !== null && (
          <Text size="xs" c="dimmed">
            {t('only of {subClientId}', { subClientId: nameOf(subClientId) })}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="nowrap" visibleFrom="md">
        <TimeAgo time={lastUsedAt} />
      </Table.Td>
      <Table.Td className="breaking" visibleFrom="md">
        {maker ?? '–'}
        <Text size="xs" c="dimmed">
          <TimeAgo time={createdAt} />
        </Text>
      </Table.Td>
      <Table.Td className="nowrap" visibleFrom="sm">
        {expiresAt === null ? t('never') : <ShortTime time={expiresAt} />}
      </Table.Td>
      <Table.Td>{doesWork(state) && <ApiKeyActions apiKey={apiKey} />}</Table.Td>
    </Table.Tr>
  )
}
