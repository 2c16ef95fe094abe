import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { streamQuery } from '../api/stream-queries.ts'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { t } from '../text/translate.ts'
import { ConnectionForm } from './connection-form.tsx'
import { ConnectionState } from './connection-state.tsx'
import { ConnectionTest } from './connection-test.tsx'

export function StreamPage() {
  const asked = useQuery(streamQuery)
  if (asked.data === undefined) return <NotLoaded asked={asked} what={t('stream connection')} isPage />
  const connection = asked.data
  return (
    <Stack gap="md">
      <PageHeading title={t('Stream connection')} />
      <Text size="sm" c="dimmed">
        {t(
          'Telemetry is read from a topic of yours, of Apache Kafka or what speaks its protocol. It goes through what REST and MQTT go through: the same names, limits and checks.',
        )}
      </Text>
      {connection !== null && <ConnectionState connection={connection} />}
      {connection !== null && <ConnectionTest key={connection.updatedAt} />}
      <ConnectionForm connection={connection} />
    </Stack>
  )
}
