import { Center, RingProgress, Text } from '@mantine/core'
import type { Health } from '@roadworthy/contracts/platform-v1/vehicles'
import { conditionOf } from '../health/condition.ts'
import { conditions, HealthBadge } from '../health/health-badge.tsx'
import { type Fact, Facts } from '../shell/facts.tsx'
import { Panel } from '../shell/panel.tsx'
import { percent, sentenceCase } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'

export function HealthPanel({ health }: { health: Health }) {
  const condition = conditionOf(health)
  const facts: readonly Fact[] = [
    ['Work due in 30 days', percent(health.maintenanceProbability)],
    ['Risk', sentenceCase(String(health.riskLevel))],
    ['Unlike normal', unlikeNormal(health)],
    ['Confidence', percent(health.confidence)],
    ['Judged', health.scoredAt === null ? 'just now, on little' : <TimeAgo key="judged" time={health.scoredAt} />],
  ]
  return (
    <Panel title="Health" className="health">
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
        <span className="visually-hidden">Health {Math.round(health.healthScore)} of 100</span>
      </Center>
      <Facts facts={facts} />
      <Text size="xs" c="dimmed" mt="xs">
        Work due and risk rest on an assumption: how long parts last that show what was found.
      </Text>
    </Panel>
  )
}

/** Where nothing could be judged, 0 % would look like an all-clear. */
function unlikeNormal({ anomalyScore, anomalyDetected, anomalyBasis }: Health): string {
  if (anomalyBasis?.length === 0 && anomalyScore === 0) return 'not judged'
  return `${percent(anomalyScore)}${anomalyDetected ? ', unusual' : ''}`
}
