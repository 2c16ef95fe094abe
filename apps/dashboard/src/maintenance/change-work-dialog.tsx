import { Checkbox } from '@mantine/core'
import type { Maintenance } from '@roadworthy/contracts/platform-v1/maintenance'
import { useState } from 'react'
import { useChangeWork } from '../api/maintenance-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { t } from '../text/translate.ts'
import { dayOf, middleOf } from './calendar-day.ts'
import { CostField, useCostEntry } from './cost-field.tsx'
import {
  DayField,
  FindingField,
  type FindingName,
  givenKm,
  NotesField,
  OdometerField,
  shownOdometer,
  useWorkTitle,
} from './work-fields.tsx'

/** Of planned work its day, cost and notes; of completed work also what was found. */
export function ChangeWorkDialog({ record, onClose }: { record: Maintenance; onClose: () => void }) {
  const change = useChangeWork(record.id)
  const isDone = record.status === 'completed'
  const knownDay = record.dueAt === null ? '' : dayOf(new Date(record.dueAt))
  const [day, setDay] = useState(knownDay)
  const knownOdometer = shownOdometer(record.odometer_km)
  const [odometer, setOdometer] = useState<string | number>(knownOdometer)
  const [finding, setFinding] = useState<FindingName | null>(record.condition_found)
  const [renewed, setRenewed] = useState(record.renewed)
  const [notes, setNotes] = useState(record.notes ?? '')
  const cost = useCostEntry(record.cost)
  const title = useWorkTitle(record.vehicleId, record.component)
  const confirm = () => {
    const read = cost.read()
    if (read === 'refused') return
    const changes = {
      ...{ cost: read ?? null, notes: notes.trim() === '' ? null : notes.trim() },
      // The time of day stays where the day does.
      ...(isDone || day === knownDay ? {} : { dueAt: day === '' ? null : middleOf(day).toISOString() }),
      ...(isDone ? { condition_found: finding, renewed } : {}),
      ...(isDone && odometer !== knownOdometer ? { odometer_km: typeof odometer === 'number' ? givenKm(odometer) : null } : {}),
    }
    change.mutate(changes, { onSuccess: onClose })
  }
  return (
    <Confirmation
      title={t('Change: {title}', { title })}
      text={
        isDone
          ? t('What predictions learn follows the record. Alerts that were resolved and schedules that were restarted stay as they are.')
          : t('The calendar follows.')
      }
      label={t('Save')}
      change={change}
      onConfirm={confirm}
      onClose={onClose}
    >
      {!isDone && <DayField label={t('Day')} value={day} onChange={setDay} />}
      {isDone && (
        <>
          <OdometerField value={odometer} onChange={setOdometer} />
          <FindingField value={finding} onChange={setFinding} />
          <Checkbox label={t('The part is new now')} checked={renewed} onChange={(event) => setRenewed(event.currentTarget.checked)} />
        </>
      )}
      <CostField {...cost.field} />
      <NotesField value={notes} onChange={setNotes} />
    </Confirmation>
  )
}
