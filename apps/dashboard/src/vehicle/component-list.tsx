import { Progress, Table, Text } from '@mantine/core'
import type { Prediction } from '@roadworthy/contracts/platform-v1/predictions'
import type { Health } from '@roadworthy/contracts/platform-v1/vehicles'
import { componentName } from '../health/component-name.ts'
import { conditionOfScore, isJudged } from '../health/condition.ts'
import { conditionName, conditions } from '../health/health-badge.tsx'
import { days, daysBetween, percent, shortDay } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { confidenceWord, whyNotPredicted } from './explain-health.ts'

type ComponentListProps = { health: Health; predictions: readonly Prediction[] }

const DAY_MS = 86_400_000
/** A date further away shows no more than the number of days. */
const MOST_DAYS_WITH_DATE = 730

/** Each part with its condition, how long it will last and why; the one in the worst state first. */
export function ComponentList({ health, predictions }: ComponentListProps) {
  const parts = Object.entries(health.components).sort(([, a], [, b]) => a - b)
  return (
    <Table verticalSpacing={5} horizontalSpacing="xs" className="parts-table">
      <Table.Caption className="visually-hidden">{t('Table of parts')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Part')}</Table.Th>
          <Table.Th>{t('Condition')}</Table.Th>
          <Table.Th visibleFrom="sm" title={t('Median, and the range in which 8 of 10 such parts fail')}>
            {t('Remaining life')}
          </Table.Th>
          <Table.Th visibleFrom="sm" className="nowrap">
            {t('How sure')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {parts.map(([component, score]) => (
          <Part
            key={component}
            component={component}
            score={score}
            health={health}
            prediction={predictions.find((each) => each.component === component)}
          />
        ))}
      </Table.Tbody>
    </Table>
  )
}

type PartProps = { component: string; score: number; health: Health; prediction: Prediction | undefined }

function Part({ component, score, health, prediction }: PartProps) {
  const condition = isJudged(health) ? conditionOfScore(score) : 'unknown'
  const { color, Icon } = conditions[condition]
  const why = health.advice[component]?.why ?? (condition === 'healthy' ? undefined : prediction?.issue)
  const life = prediction && lifeOf(prediction, health.scoredAt)
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600}>
          {componentName(component)}
        </Text>
        {why !== undefined && (
          <Text size="xs" c="dimmed">
            {why}
          </Text>
        )}
        <Text size="xs" hiddenFrom="sm" mt={2}>
          {life === undefined
            ? whyNotPredicted(component, health)
            : `${life.median} (${life.range}) · ${life.sureness} (${life.confidence})`}
        </Text>
      </Table.Td>
      <Table.Td>
        <div className="part-score" data-color={color}>
          <Icon size={16} />
          <Progress value={condition === 'unknown' ? 0 : score} size={8} color={color} flex={1} aria-hidden="true" />
          <span className="numbers">
            {condition === 'unknown' ? '–' : Math.round(score)}
            <span className="visually-hidden">, {conditionName(condition)}</span>
          </span>
        </div>
      </Table.Td>
      {life === undefined ? (
        <Table.Td colSpan={2} visibleFrom="sm">
          <Text size="xs" c="dimmed">
            {whyNotPredicted(component, health)}
          </Text>
        </Table.Td>
      ) : (
        <LifeCells life={life} />
      )}
    </Table.Tr>
  )
}

type Life = { readonly median: string; readonly range: string; readonly sureness: string; readonly confidence: string }

function lifeOf(prediction: Prediction, scoredAt: string | null): Life {
  const { rul_days: medianDays, interval, confidence } = prediction
  const from = scoredAt === null ? Date.now() : Date.parse(scoredAt)
  const date = medianDays <= MOST_DAYS_WITH_DATE ? ` · ${shortDay(from + medianDays * DAY_MS)}` : ''
  return {
    ...{ median: `${days(medianDays)}${date}`, range: daysBetween(interval) },
    ...{ sureness: confidenceWord(prediction), confidence: percent(confidence) },
  }
}

function LifeCells({ life: { median, range, sureness, confidence } }: { life: Life }) {
  return (
    <>
      <Table.Td visibleFrom="sm" className="nowrap">
        <Text size="sm">{median}</Text>
        <Text size="xs" c="dimmed">
          {range}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm" className="nowrap">
        <Text size="sm">{sureness}</Text>
        <Text size="xs" c="dimmed" className="numbers">
          {confidence}
        </Text>
      </Table.Td>
    </>
  )
}
