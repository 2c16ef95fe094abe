import { Text } from '@mantine/core'
import type { ModelDrift } from '@roadworthy/contracts/platform-v1/models'
import { useQuery } from '@tanstack/react-query'
import { driftQuery } from '../api/model-queries.ts'
import { Facts } from '../shell/facts.tsx'
import { CheckIcon, UnknownIcon, WarningIcon } from '../shell/icons.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { StatusBadge } from '../shell/status-badge.tsx'
import { percent, wholeNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { driftVerdict } from './drift-words.ts'

/** What sound driving is called unusual by a model that promises nothing. */
const USUAL_SHARE = 0.01

const verdicts = {
  fits: { look: { color: 'green', Icon: CheckIcon }, word: t('Fits') },
  drifts: { look: { color: 'orange', Icon: WarningIcon }, word: t('Drifts') },
  unknown: { look: { color: 'gray', Icon: UnknownIcon }, word: t('Too few vehicles to say') },
} as const

/** Whether the own vehicles are still like those that the models were made on. */
export function DriftPanel({ promised = USUAL_SHARE }: { promised?: number | undefined }) {
  const asked = useQuery(driftQuery)
  if (asked.data === undefined) {
    return (
      <Panel title={t('Drift')}>
        <NotLoaded asked={asked} what={t('drift')} />
      </Panel>
    )
  }
  const { look, word } = verdicts[driftVerdict(asked.data, promised)]
  return (
    <Panel title={t('Drift')} actions={<StatusBadge look={look}>{word}</StatusBadge>}>
      <Text size="sm">
        {t(
          'Vehicles and routes may move away from what the models were made on. Then more vehicles look unusual without a reason, and more alerts are false alarms: train on your own trips.',
        )}
      </Text>
      <DriftFacts drift={asked.data} />
      <Text size="xs" c="dimmed">
        {t(
          'Of sound vehicles about {share} may look unusual at any time. False alarms are counted when somebody closes an incident as one.',
          {
            share: percent(promised),
          },
        )}
      </Text>
    </Panel>
  )
}

function DriftFacts({ drift: { judged, unusual, unexplained, unjudgeable, confidence, falseAlarms } }: { drift: ModelDrift }) {
  const [now, before] = falseAlarms
  return (
    <Facts
      facts={[
        [t('Vehicles judged in 24 hours'), wholeNumber(judged)],
        [t('Deviate from normal'), shareText(unusual, judged)],
        [t('Deviate from normal without an incident that explains it'), shareText(unexplained, judged)],
        [t('Reported nothing that could be judged'), shareText(unjudgeable, judged)],
        [t('Data completeness, on average'), confidence === null ? undefined : percent(confidence)],
        [t('False alarms of 30 days'), now && shareText(now.falseAlarms, now.closed)],
        [t('False alarms of the 30 days before'), before && shareText(before.falseAlarms, before.closed)],
      ]}
    />
  )
}

function shareText(part: number, whole: number): string {
  const numbers = t('{part} of {whole}', { part: wholeNumber(part), whole: wholeNumber(whole) })
  return whole === 0 ? numbers : `${numbers} (${percent(part / whole)})`
}
