import { Stack, Text, Title } from '@mantine/core'
import type { ComponentAccuracy } from '@roadworthy/contracts/platform-v1/maintenance'
import { useQuery } from '@tanstack/react-query'
import { accuracyQuery } from '../api/maintenance-queries.ts'
import { componentName } from '../health/component-name.ts'
import { CheckIcon, InfoIcon, UnknownIcon, WarningIcon } from '../shell/icons.tsx'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { t } from '../text/translate.ts'
import { errorText, leftOutText, type Verdict, verdictOf, verdictText } from './accuracy-words.ts'

export function AccuracyView({ component }: { component: string | undefined }) {
  const asked = useQuery(accuracyQuery(component))
  if (asked.data === undefined) return <NotLoaded asked={asked} what={t('accuracy of predictions')} />
  const { components, expectedCoverage } = asked.data
  if (components.length === 0) {
    return (
      <div className="panel">
        <Message title={t('No prediction can be judged yet')}>
          {t('When work is completed on a part that had a prediction, what was found is held against it here.')}
        </Message>
      </div>
    )
  }
  return (
    <Stack gap="sm">
      <Text size="sm">
        {t(
          'What was predicted last before the work, held against what was found. Only parts that failed say how far off a prediction was; they are not a fair sample, because parts replaced in time are the ones that predictions saved.',
        )}
      </Text>
      {components.map((accuracy) => (
        <ComponentVerdict key={accuracy.component} accuracy={accuracy} expected={expectedCoverage} />
      ))}
    </Stack>
  )
}

const looks: Readonly<Record<Verdict, StatusLook & { label: string }>> = {
  none: { color: 'gray', Icon: UnknownIcon, label: t('No failures') },
  few: { color: 'gray', Icon: InfoIcon, label: t('Too few to judge') },
  'as expected': { color: 'green', Icon: CheckIcon, label: t('As promised') },
  'too narrow': { color: 'orange', Icon: WarningIcon, label: t('Less certain than promised') },
  'too wide': { color: 'blue', Icon: InfoIcon, label: t('More cautious than needed') },
}

function ComponentVerdict({ accuracy, expected }: { accuracy: ComponentAccuracy; expected: number }) {
  const look = looks[verdictOf(accuracy, expected)]
  const more = [errorText(accuracy), leftOutText(accuracy)].filter((text) => text !== undefined)
  return (
    <section className="panel padded" aria-label={componentName(accuracy.component)}>
      <Title order={2} size="h5">
        {componentName(accuracy.component)} <StatusBadge look={look}>{look.label}</StatusBadge>
      </Title>
      <Text size="sm">{verdictText(accuracy, expected)}</Text>
      {more.map((text) => (
        <Text key={text} size="sm" c="dimmed">
          {text}
        </Text>
      ))}
    </section>
  )
}
