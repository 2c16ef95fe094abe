import { Progress, Table, Text } from '@mantine/core'
import type { Prediction } from '@roadworthy/contracts/platform-v1/predictions'
import { conditionOfScore } from '../health/condition.ts'
import { conditions } from '../health/health-badge.tsx'
import { days, daysBetween, percent, sentenceCase } from '../text/format.ts'

type ComponentListProps = { scores: Readonly<Record<string, number>>; predictions: readonly Prediction[] }

/** Each part with its condition and how long it will last; the one in the worst state first. */
export function ComponentList({ scores, predictions }: ComponentListProps) {
  const parts = Object.entries(scores).sort(([, a], [, b]) => a - b)
  return (
    <Table verticalSpacing={5} horizontalSpacing="xs" className="parts-table">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Part</Table.Th>
          <Table.Th>Condition</Table.Th>
          <Table.Th title="Median, and the range in which 8 of 10 such parts fail">Remaining life</Table.Th>
          <Table.Th ta="right">Confidence</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {parts.map(([component, score]) => (
          <Part key={component} component={component} score={score} prediction={predictions.find((each) => each.component === component)} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Part({ component, score, prediction }: { component: string; score: number; prediction: Prediction | undefined }) {
  const condition = conditionOfScore(score)
  const { color, Icon } = conditions[condition]
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600}>
          {sentenceCase(component)}
        </Text>
        {condition !== 'healthy' && prediction !== undefined && (
          <Text size="xs" c="dimmed">
            {prediction.issue}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <div className="part-score" data-color={color}>
          <Icon size={16} />
          <Progress value={score} size={8} color={color} flex={1} aria-hidden="true" />
          <span className="numbers">
            {Math.round(score)}
            <span className="visually-hidden">, {condition}</span>
          </span>
        </div>
      </Table.Td>
      <Table.Td>
        {prediction === undefined ? (
          <Text size="sm" c="dimmed">
            not predicted
          </Text>
        ) : (
          <>
            <Text size="sm" className="nowrap">
              {days(prediction.rul_days)}
            </Text>
            <Text size="xs" c="dimmed" className="nowrap">
              {daysBetween(prediction.interval)}
            </Text>
          </>
        )}
      </Table.Td>
      <Table.Td ta="right">{prediction === undefined ? '' : percent(prediction.confidence)}</Table.Td>
    </Table.Tr>
  )
}
