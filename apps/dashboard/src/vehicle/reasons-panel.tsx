import { List, Text } from '@mantine/core'
import type { Health } from '@roadworthy/contracts/platform-v1/vehicles'
import { Panel } from '../shell/panel.tsx'
import { t } from '../text/translate.ts'

/** What the judgement rests on, and what to do: in the words of the engine. */
export function ReasonsPanel({ health: { insights, recommendations } }: { health: Health }) {
  return (
    <Panel title={t('Why, and what to do')} className="reasons">
      <Text size="sm" fw={600} mb={4}>
        {t('Found')}
      </Text>
      <Sentences sentences={insights} none={t('Nothing out of the ordinary.')} />
      <Text size="sm" fw={600} mb={4} mt="sm">
        {t('Recommended')}
      </Text>
      <Sentences sentences={recommendations} none={t('Nothing to do.')} />
    </Panel>
  )
}

function Sentences({ sentences, none }: { sentences: readonly string[]; none: string }) {
  if (sentences.length === 0) return <Text c="dimmed">{none}</Text>
  return (
    <List size="sm" spacing={4}>
      {sentences.map((sentence) => (
        <List.Item key={sentence}>{sentence}</List.Item>
      ))}
    </List>
  )
}
