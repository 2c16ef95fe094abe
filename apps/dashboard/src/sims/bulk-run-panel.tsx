import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import { Link } from '@tanstack/react-router'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { reasonOf } from './act-on-sims.ts'
import type { SimResult } from './sim-result.ts'
import type { BulkRun } from './use-bulk-run.ts'

type BulkRunPanelProps = {
  sims: readonly Sim[]
  run: BulkRun
  /** What has happened to so many that were accepted. */
  acceptedText: (count: number) => string
  onGoOn: () => void
  onClose: () => void
}

/** How far it is, and in the end what became of each SIM. */
export function BulkRunPanel({ sims, run, acceptedText, onGoOn, onClose }: BulkRunPanelProps) {
  const { phase, results, error, stop } = run
  const left = sims.length - results.length
  if (phase !== 'ended') return <Running done={results.length} count={sims.length} isStopping={phase === 'stopping'} onStop={stop} />
  return (
    <Stack gap="sm">
      <Summary results={results} left={left} acceptedText={acceptedText} />
      <Refusal error={error} />
      <Refused sims={sims} results={results} />
      <Group justify="flex-end" gap="xs">
        {left > 0 && (
          <Button variant="default" onClick={onGoOn}>
            {t('Go on with the other {count}', { count: left })}
          </Button>
        )}
        <Button ref={focus} onClick={onClose}>
          {t('Close')}
        </Button>
      </Group>
    </Stack>
  )
}

/** The button that had the focus is gone. */
function focus(button: HTMLButtonElement | null): void {
  button?.focus()
}

type RunningProps = { done: number; count: number; isStopping: boolean; onStop: () => void }

function Running({ done, count, isStopping, onStop }: RunningProps) {
  return (
    <Stack gap="sm">
      <Text size="sm">{t('{done} of {count} SIMs', { done, count })}</Text>
      <Progress value={(done / count) * 100} aria-label={t('Progress')} />
      <Group justify="flex-end">
        <Button ref={focus} variant="default" aria-disabled={isStopping} onClick={onStop}>
          {isStopping ? t('Stopping…') : t('Stop')}
        </Button>
      </Group>
    </Stack>
  )
}

type SummaryProps = Pick<BulkRunPanelProps, 'acceptedText'> & { results: readonly SimResult[]; left: number }

function Summary({ results, left, acceptedText }: SummaryProps) {
  const countOf = (status: SimResult['status']) => results.filter((each) => each.status === status).length
  const [accepted, unchanged, refused] = [countOf('accepted'), countOf('unchanged'), countOf('refused')]
  const lines = [
    acceptedText(accepted),
    ...(unchanged === 0
      ? []
      : [t('{count, plural, one {# was in that state already.} other {# were in that state already.}}', { count: unchanged })]),
    ...(refused === 0 ? [] : [t('{count, plural, one {# was refused.} other {# were refused.}}', { count: refused })]),
    ...(left === 0 ? [] : [t('{count, plural, one {# was not asked for.} other {# were not asked for.}}', { count: left })]),
  ]
  return (
    <Text size="sm" role="status">
      {lines.join(' ')}
    </Text>
  )
}

function Refused({ sims, results }: { sims: readonly Sim[]; results: readonly SimResult[] }) {
  const refused = results.filter((each) => each.refusal !== undefined)
  if (refused.length === 0) return null
  const iccids = new Map(sims.map(({ id, iccid }) => [id, iccid]))
  return (
    <ul className="refused-sims" aria-label={t('Refused SIMs')}>
      {refused.map(({ simId, refusal }) => (
        <li key={simId}>
          <Link to="/sims/$simId" params={{ simId }} target="_blank" className="numbers breaking">
            {iccids.get(simId) ?? simId}
          </Link>
          <Text size="sm">{refusal !== undefined && reasonOf(refusal)}</Text>
        </li>
      ))}
    </ul>
  )
}
