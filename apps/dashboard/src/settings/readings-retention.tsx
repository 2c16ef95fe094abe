import { Button, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core'
import type { ReadingsRetention as Retention } from '@roadworthy/contracts/platform-v1/settings'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { retentionQuery, useChangeRetention } from '../api/plan-queries.ts'
import { sessionQuery } from '../api/queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { CountField } from '../shell/count-field.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { days } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { changeOf, draftOf, isWholeDraft, type RetentionDraft, type Term, type TermKind } from './retention-draft.ts'

const kindWords: Readonly<Record<TermKind, string>> = { preset: t('As the service'), days: t('A number of days'), ever: t('For ever') }
const MAX_DAYS = 36_500

/** For how long readings are kept, of the whole account and of sub-clients; an owner changes it. */
export function ReadingsRetention() {
  const asked = useQuery(retentionQuery)
  const isOwner = useQuery(sessionQuery).data?.session?.role === 'owner'
  const [isChanging, setIsChanging] = useState(false)
  if (asked.data === undefined) return <NotLoaded asked={asked} what={t('how long readings are kept')} />
  const retention = asked.data
  const change = isOwner && (
    <Button variant="default" size="xs" onClick={() => setIsChanging(true)}>
      {t('Change')}
    </Button>
  )
  return (
    <Panel title={t('How long readings are kept')} actions={change}>
      <Table verticalSpacing={6}>
        <Table.Tbody>
          <Table.Tr>
            <Table.Th scope="row">{retention.subClients.length > 0 ? t('All others') : t('All readings')}</Table.Th>
            <Table.Td className="numbers">{keptText(retention.days)}</Table.Td>
          </Table.Tr>
          {retention.subClients.map(({ subClientId, days: kept }) => (
            <Table.Tr key={subClientId}>
              <Table.Th scope="row">{subClientId}</Table.Th>
              <Table.Td className="numbers">{keptText(kept)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {isChanging && <ChangeRetention retention={retention} onClose={() => setIsChanging(false)} />}
    </Panel>
  )
}

function keptText(kept: number | null): string {
  return kept === null ? t('For ever') : days(kept)
}

function ChangeRetention({ retention, onClose }: { retention: Retention; onClose: () => void }) {
  const change = useChangeRetention()
  const [draft, setDraft] = useState<RetentionDraft>(() => draftOf(retention))
  const { minDays, presetDays } = retention
  const setTerm = (key: number, next: Partial<RetentionDraft['subClients'][number]>) =>
    setDraft({ ...draft, subClients: draft.subClients.map((each) => (each.key === key ? { ...each, ...next } : each)) })
  const add = () => {
    const key = 1 + Math.max(-1, ...draft.subClients.map((each) => each.key))
    setDraft({ ...draft, subClients: [...draft.subClients, { kind: 'ever', days: presetDays, subClientId: '', key }] })
  }
  return (
    <Confirmation
      title={t('How long readings are kept')}
      text={t(
        'Readings that are older are removed for good, in the database and in files, and with them the history of health. Less than {least} cannot be set.',
        {
          least: days(minDays),
        },
      )}
      label={t('Save')}
      change={change}
      isReady={isWholeDraft(draft, minDays)}
      onConfirm={() => change.mutate(changeOf(draft), { onSuccess: onClose })}
      onClose={onClose}
    >
      <TermFields
        label={t('All readings')}
        kinds={['preset', 'days', 'ever']}
        term={draft.whole}
        minDays={minDays}
        onChange={(whole) => setDraft({ ...draft, whole })}
      />
      {draft.subClients.map((term) => (
        <Stack key={term.key} gap={4}>
          <TextInput
            label={t('Sub-client')}
            description={t('Its id.')}
            required
            maxLength={64}
            autoComplete="off"
            value={term.subClientId}
            onChange={(event) => setTerm(term.key, { subClientId: event.currentTarget.value })}
          />
          <TermFields
            label={t('Its readings')}
            kinds={['days', 'ever']}
            term={term}
            minDays={minDays}
            onChange={(next) => setTerm(term.key, next)}
          />
          <Group>
            <Button
              variant="subtle"
              size="xs"
              onClick={() => setDraft({ ...draft, subClients: draft.subClients.filter((each) => each.key !== term.key) })}
            >
              {t('Leave out')}
            </Button>
          </Group>
        </Stack>
      ))}
      <Group>
        <Button variant="default" size="xs" onClick={add}>
          {t('Another time for a sub-client')}
        </Button>
      </Group>
      {draft.whole.kind === 'preset' && (
        <Text size="sm" c="dimmed">
          {t('The service keeps readings for {time}.', { time: days(presetDays) })}
        </Text>
      )}
    </Confirmation>
  )
}

type TermFieldsProps = {
  label: string
  kinds: readonly TermKind[]
  term: Term
  minDays: number
  onChange: (term: Term) => void
}

function TermFields({ label, kinds, term, minDays, onChange }: TermFieldsProps) {
  return (
    <Group align="end" gap="xs">
      <Select
        label={label}
        allowDeselect={false}
        value={term.kind}
        data={kinds.map((value) => ({ value, label: kindWords[value] }))}
        onChange={(value) => onChange({ kind: kinds.find((each) => each === value) ?? term.kind, days: term.days })}
      />
      {term.kind === 'days' && (
        <CountField
          label={t('Days')}
          min={minDays}
          max={MAX_DAYS}
          value={term.days}
          onChange={(days) => onChange({ kind: term.kind, days })}
        />
      )}
    </Group>
  )
}
