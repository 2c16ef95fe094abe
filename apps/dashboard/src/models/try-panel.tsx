import { Button, Group, List, Table, Text, Textarea } from '@mantine/core'
import type { FieldMeaning, TryAnswer } from '@roadworthy/contracts/platform-v1/models'
import { type FormEvent, useState } from 'react'
import { useTry } from '../api/model-queries.ts'
import { componentName } from '../health/component-name.ts'
import { HealthBadge } from '../health/health-badge.tsx'
import { SeverityBadge } from '../incidents/severity-badge.tsx'
import { WarningIcon } from '../shell/icons.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { decimalNumber, percent, wholeNumber } from '../text/format.ts'
import { t, tListed } from '../text/translate.ts'
import { examples, readPasted } from './read-json.ts'

const choices = [
  { example: examples.external, label: t('External API') },
  { example: examples.obd, label: t('OBD style') },
  { example: examples.j1939, label: t('J1939 style') },
]
const faults = { 'no JSON': t('This is not JSON.'), 'no object': t('Paste one reading: an object in braces.') } as const
const ROWS = 8

/** A reading, how it is understood, and what it would mean. Nothing of it is stored. */
export function TryPanel() {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string | undefined>(undefined)
  const trying = useTry()
  const attempt = (event: FormEvent) => {
    event.preventDefault()
    const pasted = readPasted(text)
    setFault('fault' in pasted ? faults[pasted.fault] : undefined)
    if ('reading' in pasted) trying.mutate(pasted.reading)
  }
  return (
    <Panel title={t('Try the engine')}>
      <form onSubmit={attempt}>
        <Group gap="xs" mb="xs">
          <Text size="sm">{t('Examples:')}</Text>
          {choices.map(({ example, label }) => (
            <Button key={label} size="compact-sm" variant="default" onClick={() => setText(JSON.stringify(example, null, 2))}>
              {label}
            </Button>
          ))}
        </Group>
        <Textarea
          label={t('One reading as JSON')}
          description={t('It is not stored and opens no alert. It counts as a prediction.')}
          classNames={{ input: 'secret' }}
          rows={ROWS}
          spellCheck={false}
          value={text}
          error={fault}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" mt="sm" loading={trying.isPending}>
          {t('Ask the engine')}
        </Button>
      </form>
      <Refusal error={trying.error} />
      {trying.data !== undefined && <Answer answer={trying.data} />}
    </Panel>
  )
}

function Answer({ answer: { fields, prediction } }: { answer: TryAnswer }) {
  const { healthScore, healthStatus, confidence, findings, insights, recommendations, components, missingFields } = prediction
  const parts = Object.entries(components).toSorted(([, a], [, b]) => a - b)
  return (
    <section aria-label={t('Answer')} className="stack answer">
      <Group gap="sm" role="status">
        <HealthBadge condition={healthStatus} size="lg" />
        <Text>
          {t('Health {score} of 100, confidence {confidence}', { score: wholeNumber(healthScore), confidence: percent(confidence) })}
        </Text>
      </Group>
      {findings.length > 0 && (
        <ul className="rows">
          {findings.map(({ severity, message }) => (
            <li key={message} className="incident-row">
              <SeverityBadge severity={severity} />
              <Text size="sm" className="row-text">
                {message}
              </Text>
            </li>
          ))}
        </ul>
      )}
      {recommendations.length > 0 && <Lines title={t('What to do')} lines={recommendations} />}
      {insights.length > 0 && <Lines title={t('Why')} lines={insights} />}
      <Text size="sm">
        {t('Parts: {parts}', { parts: parts.map(([part, score]) => `${componentName(part)} ${wholeNumber(score)}`).join(' · ') })}
      </Text>
      {missingFields.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('It would be surer with: {fields}', { fields: missingFields.join(', ') })}
        </Text>
      )}
      <Fields fields={fields} />
    </section>
  )
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <div>
      <Text size="sm" fw={650}>
        {title}
      </Text>
      <List size="sm">
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </div>
  )
}

const kinds: Readonly<Record<Exclude<FieldMeaning['kind'], 'signal'>, string>> = {
  lamp: t('Lamp'),
  'fault codes': t('Fault codes'),
  other: t('Known, and not judged'),
  unknown: t('Unknown'),
}

function Fields({ fields }: { fields: readonly FieldMeaning[] }) {
  return (
    <Table verticalSpacing={6} horizontalSpacing="xs">
      <Table.Caption className="visually-hidden">{t('How each field was understood')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Field')}</Table.Th>
          <Table.Th>{t('Understood as')}</Table.Th>
          <Table.Th ta="right">{t('Value')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {fields.map((field) => (
          <Table.Tr key={field.field}>
            <Table.Td className="breaking">
              <code>{field.field}</code>
            </Table.Td>
            <Table.Td className="breaking">
              {field.signal === null ? kinds[field.kind === 'signal' ? 'other' : field.kind] : tListed(field.signal)}
              {field.sentUnit !== null && field.sentUnit !== field.unit && (
                <Text size="xs" c="dimmed">
                  {t('read as {unit}', { unit: field.sentUnit })}
                </Text>
              )}
              {field.warning !== null && (
                <Text size="xs" data-color="orange">
                  <WarningIcon size={14} /> {field.warning}
                </Text>
              )}
            </Table.Td>
            <Table.Td ta="right" className="numbers">
              {field.value === null ? '–' : `${decimalNumber(field.value, 2)} ${field.unit ?? ''}`}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
