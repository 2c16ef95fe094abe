import { Button, CopyButton, Group, Text } from '@mantine/core'
import type { LoggedRequest } from '@roadworthy/contracts/platform-v1/request-log'
import { Link } from '@tanstack/react-router'
import { Facts } from '../shell/facts.tsx'
import { SubClientName } from '../sub-clients/sub-client-name.tsx'
import { absoluteTime } from '../text/format.ts'
import { t } from '../text/translate.ts'

const surfaces: Readonly<Record<LoggedRequest['surface'], string>> = {
  external: 'External API',
  'platform-v1': 'Platform API',
  'sim-billing': 'SIM and billing API',
}

/** All that is kept of a call. */
export function RequestDetails({ request, keyName }: { request: LoggedRequest; keyName: string | undefined }) {
  const { at, keyId, subClientId, surface, query, requestId, error, address, userAgent } = request
  return (
    <Facts
      facts={[
        [t('Request id'), <RequestId key="id" requestId={requestId} />],
        [t('Time'), absoluteTime(at)],
        [t('API'), surfaces[surface]],
        [
          t('API key'),
          <Link key="key" to="/settings/requests" search={{ keyId }}>
            {keyName ?? keyId}
          </Link>,
        ],
        [t('Sub-client'), subClientId === null ? undefined : <SubClientName key="sub-client" subClientId={subClientId} />],
        [
          t('Query'),
          query === null ? undefined : (
            <span key="query" className="code">
              {query}
            </span>
          ),
        ],
        [t('Error code'), error?.code],
        [t('IP address'), address],
        [t('Program'), userAgent ?? undefined],
      ]}
    />
  )
}

function RequestId({ requestId }: { requestId: string }) {
  return (
    <Group gap="xs" wrap="nowrap" component="span" justify="flex-end">
      <Text span size="sm" className="code">
        {requestId}
      </Text>
      <CopyButton value={requestId}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="default" onClick={copy} aria-label={t('Copy the request id')}>
            {copied ? t('Copied') : t('Copy')}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
