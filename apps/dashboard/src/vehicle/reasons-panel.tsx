import { List, Text } from '@mantine/core'
import type { Health } from '@roadworthy/contracts/platform-v1/vehicles'
import { Panel } from '../shell/panel.tsx'

/** What the judgement rests on, and what to do: in the words of the engine. */
export function ReasonsPanel({ health: { insights, recommendations } }: { health: Health }) {
  return (
    <Panel title="Why, and what to do" className="reasons">
      <Text size="sm" fw={600} mb={4}>
        Found
      </Text>
      <Sentences sentences={insights} none="Nothing out of the ordinary." />
      <Text size="sm" fw={600} mb={4} mt="sm">
        Recommended
      </Text>
      <Sentences sentences={recommendations} none="Nothing to do." />
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
