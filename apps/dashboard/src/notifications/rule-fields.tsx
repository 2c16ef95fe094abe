import { Checkbox, Chip, Fieldset, Group, MultiSelect, Select, TagsInput, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { groupsQuery } from '../api/group-queries.ts'
import { VehiclesSelect } from '../fleet/vehicles-select.tsx'
import { componentName, componentOf, judgedComponents } from '../health/component-name.ts'
import { CountField } from '../shell/count-field.tsx'
import { t } from '../text/translate.ts'
import { quarterHours, type RuleDraft } from './rule-draft.ts'
import { aboutTexts, dayNames } from './rule-summary.ts'

export type FieldsProps = { draft: RuleDraft; onChange: (changes: Partial<RuleDraft>) => void }

/** More would be slow, and nobody reads them: a person types a few letters. */
export const MAX_OPTIONS = 50
const MAX_VEHICLES = 500
const MAX_GROUPS = 20
export const MOST_MINUTES = 10_080
const LEAST_REPEAT_MINUTES = 5

export function NameField({ draft, onChange }: FieldsProps) {
  return (
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
  )
}

/** `children`: what else narrows it. */
export function AboutFields({ draft, onChange, children }: FieldsProps & { children?: ReactNode }) {
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
      {children}
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
  return [...new Set(names.map(componentOf))].filter((each) => each !== '')
}

export function HourFields({ draft, onChange }: FieldsProps) {
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
        <>
          <Text size="xs" c="dimmed" mt="xs">
            {t('These times are in the time zone of the account, which is shown under Usage.')}
          </Text>
          <Checkbox
            mt="sm"
            label={t('Critical incidents at any hour')}
            checked={draft.criticalAtAnyHour}
            onChange={(event) => onChange({ criticalAtAnyHour: event.currentTarget.checked })}
          />
        </>
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

export function RepeatFields({ draft, onChange }: FieldsProps) {
  const { isRepeated } = draft
  return (
    <>
      <Checkbox
        label={t('Send it again while the incident is open')}
        checked={isRepeated}
        onChange={(event) => onChange({ isRepeated: event.currentTarget.checked })}
      />
      {isRepeated && (
        <CountField
          mt="xs"
          label={t('Every so many minutes')}
          min={LEAST_REPEAT_MINUTES}
          max={MOST_MINUTES}
          clampBehavior="blur"
          value={draft.repeatMinutes}
          onChange={(repeatMinutes) => onChange({ repeatMinutes })}
        />
      )}
    </>
  )
}
