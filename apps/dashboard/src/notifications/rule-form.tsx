import { Checkbox, Chip, Fieldset, Group, MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import type { NotificationRule } from '@roadworthy/contracts/platform-v1/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { groupsQuery } from '../api/group-queries.ts'
import { useChangeRule, useCreateRule } from '../api/notification-queries.ts'
import { subClientChoicesQuery } from '../api/sub-client-queries.ts'
import { VehiclesSelect } from '../fleet/vehicles-select.tsx'
import { componentName, componentOf, judgedComponents } from '../health/component-name.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { t } from '../text/translate.ts'
import { DigestFields } from './digest-fields.tsx'
import { RecipientsField } from './recipients-field.tsx'
import { draftOf, isWholeDraft, NEW_RULE, quarterHours, type RuleDraft, requestOf } from './rule-draft.ts'
import { aboutTexts, dayNames } from './rule-summary.ts'

type Change = (changes: Partial<RuleDraft>) => void
type FieldsProps = { draft: RuleDraft; onChange: Change }

/** More would be slow, and nobody reads them: a person types a few letters. */
const MAX_OPTIONS = 50
const MAX_VEHICLES = 500
const MAX_GROUPS = 20
const MOST_MINUTES = 10_080
const LEAST_REPEAT_MINUTES = 5

/** Without a rule, a new one. */
export function RuleForm({ rule, onClose }: { rule?: NotificationRule; onClose: () => void }) {
  const create = useCreateRule()
  const change = useChangeRule(rule?.id ?? '')
  const [draft, setDraft] = useState(rule === undefined ? NEW_RULE : draftOf(rule))
  const onChange: Change = (changes) => setDraft((before) => ({ ...before, ...changes }))
  const save = () => {
    if (rule === undefined) create.mutate({ ...requestOf(draft), subClientId: draft.subClientId }, { onSuccess: onClose })
    else change.mutate(requestOf(draft), { onSuccess: onClose })
  }
  return (
    <Confirmation
      title={rule === undefined ? t('New rule') : t('Edit the rule {name}', { name: rule.name })}
      text={t('It is about incidents that open or change from now on.')}
      label={t('Save')}
      change={rule === undefined ? create : change}
      isReady={isWholeDraft(draft)}
      onConfirm={save}
      onClose={onClose}
    >
      <TextInput
        label={t('Name')}
        description={t('It is in the messages.')}
        required
        data-autofocus
        maxLength={120}
        autoComplete="off"
        value={draft.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <AboutFields draft={draft} onChange={onChange} isNew={rule === undefined} />
      <RecipientsField
        label={t('Who gets the message')}
        value={draft.recipients}
        subClientId={draft.subClientId}
        onChange={(recipients) => onChange({ recipients })}
      />
      <DigestFields draft={draft} onChange={onChange} />
      {!draft.isDigest && (
        <>
          <HourFields draft={draft} onChange={onChange} />
          <AgainFields draft={draft} onChange={onChange} />
        </>
      )}
    </Confirmation>
  )
}

function AboutFields({ draft, onChange, isNew }: FieldsProps & { isNew: boolean }) {
  const subClients = useQuery(subClientChoicesQuery).data?.subClients ?? []
  const { minSeverity, subClientId } = draft
  return (
    <>
      <Select
        label={t('About')}
        allowDeselect={false}
        value={minSeverity}
        data={Object.entries(aboutTexts).map(([value, label]) => ({ value, label }))}
        onChange={(value) => onChange({ minSeverity: (value ?? minSeverity) as RuleDraft['minSeverity'] })}
      />
      {subClients.length > 0 && (
        <Select
          label={t('Of which sub-client')}
          description={isNew ? t('It stays as it is chosen now.') : t('It cannot be changed.')}
          placeholder={t('The whole fleet')}
          clearable
          searchable
          disabled={!isNew}
          limit={MAX_OPTIONS}
          value={subClientId}
          data={subClients.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(value) =>
            onChange({ subClientId: value, recipients: [], escalationRecipients: [], vehicleIds: [], vehicleGroupIds: [] })
          }
        />
      )}
      <VehiclesSelect
        label={t('Vehicles')}
        placeholder={draft.vehicleIds.length === 0 && draft.vehicleGroupIds.length === 0 ? t('All vehicles') : ''}
        clearable
        maxValues={MAX_VEHICLES}
        value={draft.vehicleIds}
        isOffered={(vehicle) => subClientId === null || vehicle.subClientId === subClientId}
        onChange={(vehicleIds) => onChange({ vehicleIds })}
      />
      <GroupsField draft={draft} onChange={onChange} />
      <TagsInput
        label={t('Parts')}
        placeholder={draft.components.length === 0 ? t('All parts') : ''}
        clearable
        maxTags={50}
        value={draft.components.map(componentName)}
        data={judgedComponents.map(componentName)}
        onChange={(names) => onChange({ components: componentsOf(names) })}
      />
    </>
  )
}

/** Beside the vehicles that are named one by one. Groups of another sub-client would never be met. */
function GroupsField({ draft, onChange }: FieldsProps) {
  const { subClientId, vehicleGroupIds } = draft
  const groups = useQuery(groupsQuery).data?.vehicleGroups ?? []
  if (groups.length === 0) return null
  const offered = groups.filter((group) => group.subClientId === null || subClientId === null || group.subClientId === subClientId)
  return (
    <MultiSelect
      label={t('Vehicle groups')}
      description={t('Also vehicles that come into the group later.')}
      searchable
      clearable
      maxValues={MAX_GROUPS}
      limit={MAX_OPTIONS}
      value={[...vehicleGroupIds]}
      data={offered.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(chosen) => onChange({ vehicleGroupIds: chosen })}
      nothingFoundMessage={t('No group has this name')}
    />
  )
}

/** As the API calls them, each once. */
function componentsOf(names: readonly string[]): string[] {
  const components = names.map((name) =>
    componentOf(name)
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, ''),
  )
  return [...new Set(components)].filter((each) => each !== '')
}

function HourFields({ draft, onChange }: FieldsProps) {
  const { hasWorkingHours, hasQuietHours, workingDays } = draft
  return (
    <Fieldset legend={t('When')}>
      <Checkbox
        label={t('Only in working hours')}
        checked={hasWorkingHours}
        onChange={(event) => onChange({ hasWorkingHours: event.currentTarget.checked })}
      />
      {hasWorkingHours && (
        <>
          <Chip.Group multiple value={workingDays.map(String)} onChange={(days) => onChange({ workingDays: days.map(Number) })}>
            <Group gap={6} mt="xs" role="group" aria-label={t('Days')}>
              {dayNames.map((name, index) => (
                <Chip key={name} value={String(index + 1)} size="xs">
                  {name}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
          <Times
            from={draft.workingFrom}
            to={draft.workingTo}
            isWithinDay
            onChange={(workingFrom, workingTo) => onChange({ workingFrom, workingTo })}
          />
        </>
      )}
      <Checkbox
        mt="sm"
        label={t('Not in quiet hours')}
        description={t('What is still open is sent when they are over.')}
        checked={hasQuietHours}
        onChange={(event) => onChange({ hasQuietHours: event.currentTarget.checked })}
      />
      {hasQuietHours && (
        <Times from={draft.quietFrom} to={draft.quietTo} onChange={(quietFrom, quietTo) => onChange({ quietFrom, quietTo })} />
      )}
      {(hasWorkingHours || hasQuietHours) && (
        <Checkbox
          mt="sm"
          label={t('Critical incidents at any hour')}
          checked={draft.criticalAtAnyHour}
          onChange={(event) => onChange({ criticalAtAnyHour: event.currentTarget.checked })}
        />
      )}
    </Fieldset>
  )
}

type TimesProps = { from: string; to: string; isWithinDay?: boolean; onChange: (from: string, to: string) => void }

/** By the clock in the time zone of the account. */
function Times({ from, to, isWithinDay = false, onChange }: TimesProps) {
  return (
    <Group gap="xs" mt="xs" grow>
      <Select
        label={t('From')}
        allowDeselect={false}
        value={from}
        data={quarterHours(false)}
        onChange={(value) => onChange(value ?? from, to)}
      />
      <Select
        label={t('To')}
        allowDeselect={false}
        value={to}
        data={quarterHours(isWithinDay)}
        onChange={(value) => onChange(from, value ?? to)}
      />
    </Group>
  )
}

function AgainFields({ draft, onChange }: FieldsProps) {
  const { isRepeated, isEscalated } = draft
  return (
    <Fieldset legend={t('If nobody acts')}>
      <Checkbox
        label={t('Send it again while the incident is open')}
        checked={isRepeated}
        onChange={(event) => onChange({ isRepeated: event.currentTarget.checked })}
      />
      {isRepeated && (
        <NumberInput
          mt="xs"
          label={t('Every so many minutes')}
          min={LEAST_REPEAT_MINUTES}
          max={MOST_MINUTES}
          clampBehavior="blur"
          allowDecimal={false}
          value={draft.repeatMinutes}
          onChange={(value) => onChange({ repeatMinutes: Number(value) || LEAST_REPEAT_MINUTES })}
        />
      )}
      <Checkbox
        mt="sm"
        label={t('Notify others when nobody acknowledges it')}
        checked={isEscalated}
        onChange={(event) => onChange({ isEscalated: event.currentTarget.checked })}
      />
      {isEscalated && (
        <>
          <NumberInput
            mt="xs"
            label={t('After so many minutes')}
            min={1}
            max={MOST_MINUTES}
            clampBehavior="blur"
            allowDecimal={false}
            value={draft.escalationMinutes}
            onChange={(value) => onChange({ escalationMinutes: Number(value) || 1 })}
          />
          <RecipientsField
            label={t('Who is notified then')}
            value={draft.escalationRecipients}
            subClientId={draft.subClientId}
            onChange={(escalationRecipients) => onChange({ escalationRecipients })}
          />
        </>
      )}
    </Fieldset>
  )
}
