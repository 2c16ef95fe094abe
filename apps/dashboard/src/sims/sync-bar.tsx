import { Button, Group, Text } from '@mantine/core'
import type { Sync } from '@roadworthy/contracts/sim-billing/sync'
import { useQuery } from '@tanstack/react-query'
import { latestSyncQuery, useSync } from '../api/sim-queries.ts'
import { useMayChange } from '../session/use-session.ts'
import { absoluteTime, timeAgo } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { useNow } from '../text/use-now.ts'

/** When the SIMs were last synchronised with the operators, with what result, and a button to do it now. */
export function SyncBar() {
  const nowMs = useNow()
  const mayChange = useMayChange()
  const sync = useQuery(latestSyncQuery).data?.sync ?? undefined
  const start = useSync()
  const isRunning = sync?.status === 'running' || start.isPending
  return (
    <Group gap="sm">
      <Text size="sm" c={sync?.status === 'failed' || start.isError ? 'red' : 'dimmed'} role="status">
        {start.isError ? start.error.message : sync === undefined ? t('Never synchronised') : describe(sync, nowMs)}
      </Text>
      {mayChange && (
        <Button size="sm" variant="default" loading={isRunning} onClick={() => start.mutate()}>
          {t('Synchronise')}
        </Button>
      )}
    </Group>
  )
}

function describe({ status, sims, usage, errors, started_at: startedAt, finished_at: finishedAt }: Sync, nowMs: number): string {
  if (status === 'running')
    return t('Synchronising: {count, plural, one {# SIM} other {# SIMs}}, {updated} with new use', {
      count: sims.seen,
      updated: usage.updated,
    })
  const when = finishedAt === null ? absoluteTime(startedAt) : timeAgo(finishedAt, nowMs)
  if (status === 'failed')
    return t('Synchronisation failed {when}: {reason}', { when, reason: errors[0]?.message ?? t('no reason was given') })
  const result = t('Synchronised {when}: {count, plural, one {# SIM} other {# SIMs}}, {changed} changed', {
    when,
    count: sims.seen,
    changed: sims.created + sims.updated,
  })
  const missed =
    sims.failed + errors.length > 0 ? t('{missed} not taken over', { missed: Math.max(sims.failed, errors.length) }) : undefined
  return missed === undefined ? result : `${result}, ${missed}`
}
