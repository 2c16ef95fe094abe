import { Group, NumberInput, Text, TextInput } from '@mantine/core'
import type { Schedule } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import { useState } from 'react'
import { useChangeSchedule, useCreateSchedule, useRemoveSchedule } from '../api/maintenance-queries.ts'
import { VehiclesSelect } from '../fleet/vehicles-select.tsx'
import { Confirmation } from '../shell/confirmation.tsx'
import { numberMarks } from '../text/number-marks.ts'
import { t } from '../text/translate.ts'
import { givenValue, shownUnit } from '../text/units.ts'
import { dayOf } from './calendar-day.ts'
import { emptySchedule, entryOfSchedule, isReady, nextDue, type ScheduleEntry, toPlan } from './schedule-entry.ts'
import { previewText } from './schedule-words.ts'
import { ComponentField, maxOdometer, useVehicleName } from './work-fields.tsx'

/** Assumption: who has more vehicles of a kind uses the API. Each is a request of its own. */
const MAX_VEHICLES = 50

type CreateProps = { vehicleId: string | undefined; onCreated: (vehicleIds: readonly string[]) => void; onClose: () => void }

/** For one vehicle, or the same for several. */
export function CreateScheduleDialog({ vehicleId, onCreated, onClose }: CreateProps) {
  const create = useCreateSchedule()
  const [entry, setEntry] = useState(emptySchedule)
  const [vehicleIds, setVehicleIds] = useState<string[]>(vehicleId === undefined ? [] : [vehicleId])
  const [createdCount, setCreatedCount] = useState(0)
  const isOfOne = vehicleIds.length === 1
  const confirm = async () => {
    const plan = toPlan(isOfOne ? entry : { ...entry, lastOdometer: '', lastEngineHours: '' }, new Date())
    // One after the other: the first that is refused shows why, and those before it stay.
    for (const [i, each] of vehicleIds.slice(createdCount).entries()) {
      await create.mutateAsync({ vehicleId: each, ...plan })
      setCreatedCount(createdCount + i + 1)
    }
    onCreated(vehicleIds)
    onClose()
  }
  return (
    <Confirmation
      title={t('Create a schedule')}
      text={t('Work falls due by distance, days or engine hours, whichever comes first. When the work is done, it counts anew.')}
      label={t('Create')}
      change={create}
      isReady={isReady(entry) && vehicleIds.length > 0}
      onConfirm={() => void confirm().catch(() => undefined)}
      onClose={onClose}
    >
      <VehiclesSelect
        label={t('Vehicles')}
        description={t('The same schedule is made for each; up to {count}.', { count: MAX_VEHICLES })}
        placeholder={vehicleIds.length === 0 ? t('Plate or name') : ''}
        required
        maxValues={MAX_VEHICLES}
        value={vehicleIds}
        onChange={setVehicleIds}
      />
      <ScheduleFields entry={entry} onChange={setEntry} hasMeters={isOfOne || vehicleIds.length === 0} />
      {createdCount > 0 && createdCount < vehicleIds.length && (
        <Text size="sm" role="status">
          {t('{done} of {count} schedules created', { done: createdCount, count: vehicleIds.length })}
        </Text>
      )}
    </Confirmation>
  )
}

export function ChangeScheduleDialog({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const change = useChangeSchedule(schedule.id)
  const [entry, setEntry] = useState(() => entryOfSchedule(schedule))
  const vehicle = useVehicleName(schedule.vehicleId)
  return (
    <Confirmation
      title={t('Change: {title} of {vehicle}', { title: schedule.title, vehicle })}
      text={t('What is due is judged anew at once; alerts follow.')}
      label={t('Save')}
      change={change}
      isReady={isReady(entry)}
      onConfirm={() => change.mutate(toPlan(entry, new Date(), schedule), { onSuccess: onClose })}
      onClose={onClose}
    >
      <ScheduleFields entry={entry} onChange={setEntry} hasMeters />
    </Confirmation>
  )
}

export function RemoveScheduleDialog({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const remove = useRemoveSchedule(schedule.id)
  const vehicle = useVehicleName(schedule.vehicleId)
  return (
    <Confirmation
      title={t('Delete: {title} of {vehicle}', { title: schedule.title, vehicle })}
      text={t('The schedule is gone for good, and its alerts end. Work that was done for it stays on record.')}
      label={t('Delete')}
      color="red"
      change={remove}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

type FieldsProps = { entry: ScheduleEntry; onChange: (entry: ScheduleEntry) => void; hasMeters: boolean }

function ScheduleFields({ entry, onChange, hasMeters }: FieldsProps) {
  const edit = (edited: Partial<ScheduleEntry>) => onChange({ ...entry, ...edited })
  const unit = shownUnit('km')
  return (
    <>
      <TextInput
        label={t('What is to be done')}
        placeholder={t('Brake fluid')}
        required
        maxLength={200}
        value={entry.title}
        onChange={(event) => edit({ title: event.currentTarget.value })}
      />
      <ComponentField value={entry.component} onChange={(component) => edit({ component })} />
      <Group grow gap="sm" align="flex-start">
        <Amount label={t('Every ({unit})', { unit })} value={entry.distance} onChange={(distance) => edit({ distance })} />
        <Amount label={t('Every (days)')} max={36_525} value={entry.days} onChange={(days) => edit({ days })} />
        <Amount label={t('Every (engine hours)')} value={entry.engineHours} onChange={(engineHours) => edit({ engineHours })} />
      </Group>
      <Group grow gap="sm" align="flex-start">
        <TextInput
          type="date"
          label={t('Last done on')}
          min="1900-01-01"
          max={dayOf(new Date())}
          value={entry.lastDay}
          onChange={(event) => edit({ lastDay: event.currentTarget.value })}
        />
        {hasMeters && entry.distance !== '' && (
          <Amount label={t('at ({unit})', { unit })} value={entry.lastOdometer} onChange={(lastOdometer) => edit({ lastOdometer })} />
        )}
        {hasMeters && entry.engineHours !== '' && (
          <Amount label={t('at (engine hours)')} value={entry.lastEngineHours} onChange={(lastEngineHours) => edit({ lastEngineHours })} />
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {t('Left open, it counts from now. For an earlier day, enter what the odometer showed where the vehicle did not report it then.')}
      </Text>
      <Group grow gap="sm" align="flex-start">
        <Amount label={t('Remind (days before)')} max={36_525} value={entry.remindDays} onChange={(remindDays) => edit({ remindDays })} />
        {entry.distance !== '' && (
          <Amount
            label={t('Remind ({unit} before)', { unit })}
            value={entry.remindDistance}
            onChange={(remindDistance) => edit({ remindDistance })}
          />
        )}
      </Group>
      <Text size="sm" fw={600} role="status">
        {previewText({ every: everyOf(entry), due: nextDue(entry, new Date()) })}
      </Text>
    </>
  )
}

function everyOf({ distance, days, engineHours }: ScheduleEntry): Schedule['every'] {
  const entered = (value: string | number) => (typeof value === 'number' ? value : null)
  const km = entered(distance)
  return { km: km === null ? null : givenValue('km', km), days: entered(days), engine_hours: entered(engineHours) }
}

type AmountProps = { label: string; value: string | number; onChange: (value: string | number) => void; max?: number }

function Amount({ label, value, onChange, max = maxOdometer() }: AmountProps) {
  return (
    <NumberInput label={label} min={0} max={max} allowDecimal={false} {...numberMarks} hideControls value={value} onChange={onChange} />
  )
}
