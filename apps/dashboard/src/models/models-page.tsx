import { Table, Text } from '@mantine/core'
import type { Model } from '@roadworthy/contracts/platform-v1/models'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { modelsQuery } from '../api/model-queries.ts'
import { useMayChange } from '../session/use-session.ts'
import { Facts } from '../shell/facts.tsx'
import { CheckIcon, CriticalIcon, WarningIcon } from '../shell/icons.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { Panel } from '../shell/panel.tsx'
import { StatusBadge } from '../shell/status-badge.tsx'
import { shortTime } from '../text/format.ts'
import { t, tRich } from '../text/translate.ts'
import { Calibration } from './calibration.tsx'
import { DriftPanel } from './drift-panel.tsx'
import { bandsOf, listedMetrics, promisedShare, wordsOf } from './metric-words.ts'
import { TryPanel } from './try-panel.tsx'

/** What answers predictions, how well, and how anybody knows. */
export function ModelsPage() {
  const asked = useQuery(modelsQuery)
  const mayTry = useMayChange()
  return (
    <div className="page">
      <PageHeading title={t('Models')} />
      <Text size="sm">
        {tRich(
          'These answer every prediction. Their figures are of recordings that are named below, not of your vehicles: how predictions turned out for you is under <a>maintenance</a>. None of them may decide alone that a vehicle is safe to drive.',
          {
            a: (inner) => (
              <Link to="/maintenance" search={{ view: 'accuracy' }}>
                {inner}
              </Link>
            ),
          },
        )}
      </Text>
      {mayTry && <TryPanel />}
      {asked.data === undefined ? (
        <NotLoaded asked={asked} what={t('models')} />
      ) : (
        asked.data.models.map((model) => <ModelPanel key={model.name} model={model} />)
      )}
      <DriftPanel promised={promisedShare(asked.data?.models ?? [])} />
    </div>
  )
}

const looks = {
  serving: { color: 'green', Icon: CheckIcon },
  kept: { color: 'orange', Icon: WarningIcon },
  failed: { color: 'red', Icon: CriticalIcon },
} as const

/** Where so many numbers come from. */
function originText(origin: string, count: number): string {
  if (origin === 'data') return t('{count} from data', { count })
  if (origin === 'literature') return t('{count} from literature', { count })
  if (origin === 'benchmark') return t('{count} from the benchmark', { count })
  return origin === 'assumption' ? t('{count, plural, one {# assumption} other {# assumptions}}', { count }) : `${count} ${origin}`
}

function statusWord(status: string): string {
  if (status === 'serving') return t('Answers')
  return status === 'kept' ? t('Answers, a newer one was refused') : t('Does not answer')
}

function ModelPanel({ model }: { model: Model }) {
  const { name, version, status, reason, description, source, measuredAt, metrics, numbersByOrigin } = model
  const bands = bandsOf(metrics)
  const byOrigin = Object.entries(numbersByOrigin ?? {}).filter(([, count]) => count > 0)
  return (
    <Panel
      title={`${name} ${version}`}
      actions={<StatusBadge look={looks[status as keyof typeof looks] ?? looks.failed}>{statusWord(status)}</StatusBadge>}
    >
      {reason !== null && <Text size="sm">{reason}</Text>}
      <Text size="sm">{description}</Text>
      <Facts
        facts={[
          [t('Made from'), source],
          [t('Measured'), measuredAt === null ? undefined : shortTime(measuredAt)],
          [
            t('Its numbers are'),
            byOrigin.length === 0 ? undefined : byOrigin.map(([origin, count]) => originText(origin, count)).join(', '),
          ],
        ]}
      />
      {bands.length > 0 && <Calibration bands={bands} />}
      <Metrics metrics={listedMetrics(metrics)} />
    </Panel>
  )
}

function Metrics({ metrics }: { metrics: readonly (readonly [string, number])[] }) {
  if (metrics.length === 0) return null
  return (
    <Table verticalSpacing={6} horizontalSpacing="xs" mt="sm">
      <Table.Caption className="visually-hidden">{t('Figures')}</Table.Caption>
      <Table.Tbody>
        {metrics.map(([name, value]) => {
          const { label, text, write } = wordsOf(name)
          return (
            <Table.Tr key={name}>
              <Table.Th scope="row" className="breaking">
                {label}
                {text !== '' && (
                  <Text size="xs" c="dimmed" fw={400}>
                    {text}
                  </Text>
                )}
              </Table.Th>
              <Table.Td ta="right" className="numbers top">
                {write(value)}
              </Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
