import { Center, RingProgress, Text } from '@mantine/core'
import type { Health } from '@roadworthy/contracts/platform-v1/vehicles'
import { conditionOf, isJudged } from '../health/condition.ts'
import { conditions, HealthBadge } from '../health/health-badge.tsx'
import { type Fact, Facts } from '../shell/facts.tsx'
import { Panel } from '../shell/panel.tsx'
import { chance, percent } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { healthBesideParts } from './explain-health.ts'

export function HealthPanel({ health }: { health: Health }) {
  if (!isJudged(health)) return <NotJudged />
  const condition = conditionOf(health)
  const beside = healthBesideParts(health)
  const facts: readonly Fact[] = [
    [t('Work due in 30 days'), chance(health.maintenanceProbability)],
    [t('Risk'), riskName(String(health.riskLevel))],
    [t('Deviation from normal'), unlikeNormal(health)],
    [t('Data completeness'), percent(health.confidence)],
    [t('Last assessed'), health.scoredAt && <TimeAgo key="judged" time={health.scoredAt} />],
  ]
  return (
    <Panel title={t('Health')} className="health">
      <Center>
        <RingProgress
          size={150}
          thickness={12}
          aria-hidden="true"
          sections={[{ value: health.healthScore, color: conditions[condition].color }]}
          label={
            <Text ta="center" fz={38} fw={700} lh={1} className="numbers">
              {Math.round(health.healthScore)}
            </Text>
          }
        />
      </Center>
      <Center mb="sm">
        <HealthBadge condition={condition} size="lg" />
        <span className="visually-hidden">{t('Health {score} of 100', { score: Math.round(health.healthScore) })}</span>
      </Center>
      {beside !== undefined && (
        <Text size="sm" mb="xs">
          {beside}
        </Text>
      )}
      <Facts facts={facts} />
      <Text size="xs" c="dimmed" mt="xs">
        {t('Work due and risk rest on an assumption: how long parts last that show what was found.')}
      </Text>
    </Panel>
  )
}

/** A score, green and high, would be taken for this vehicle's own. */
function NotJudged() {
  return (
    <Panel title={t('Health')} className="health">
      <Center my="sm">
        <HealthBadge condition="unknown" size="lg" />
      </Center>
      <Text size="sm">
        {t('Not judged yet: it has reported nothing that can be. Its health is shown seconds after its first readings.')}
      </Text>
    </Panel>
  )
}

function riskName(level: string): string {
  return { none: t('None'), low: t('Low'), medium: t('Medium'), high: t('High') }[level] ?? level
}

/** Where nothing could be judged, 0 % would look like an all-clear. */
function unlikeNormal({ anomalyScore, anomalyDetected, anomalyBasis }: Health): string {
  if (anomalyBasis?.length === 0 && anomalyScore === 0) return t('not judged')
  return anomalyDetected ? t('{share}, unusual', { share: percent(anomalyScore) }) : percent(anomalyScore)
}
