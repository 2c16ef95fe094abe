import type { Maintenance } from '@roadworthy/contracts/platform-v1/maintenance'
import { useState } from 'react'
import { useCreateWork } from '../api/maintenance-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { t } from '../text/translate.ts'
import { middleOf } from './calendar-day.ts'
import { ComponentField, DayField, NotesField, VehicleField } from './work-fields.tsx'

type PlanWorkDialogProps = {
  /** What is known already, where the page is about a vehicle, an alert or a schedule. */
  subject?: { vehicleId?: string; component?: string; scheduleId?: string; predictionId?: string; notes?: string; day?: string }
  /** What else comes with the plan. */
  onPlanned?: (work: Maintenance) => void
  onClose: () => void
}

/** What is given in `subject` is not asked for; `notes` and `day` are suggestions. */
export function PlanWorkDialog({ subject = {}, onPlanned, onClose }: PlanWorkDialogProps) {
  const create = useCreateWork()
  const [vehicleId, setVehicleId] = useState(subject.vehicleId ?? null)
  const [component, setComponent] = useState(subject.component ?? '')
  const [day, setDay] = useState(subject.day ?? '')
  const [notes, setNotes] = useState(subject.notes ?? '')
  const { scheduleId, predictionId } = subject
  const confirm = () => {
    if (vehicleId === null) return
    const more = {
      ...(day === '' ? {} : { dueAt: middleOf(day).toISOString() }),
      ...(notes.trim() === '' ? {} : { notes: notes.trim() }),
      ...(scheduleId === undefined ? {} : { scheduleId }),
      ...(predictionId === undefined ? {} : { predictionId }),
    }
    const onSaved = (work: Maintenance) => {
      onPlanned?.(work)
      onClose()
    }
    // Not `onSuccess`, which does not run where the list lost the row of the dialog before. What was refused stands in the dialog.
    const saved = create.mutateAsync({ vehicleId, component: component.trim(), status: 'planned', ...more })
    void saved.then(onSaved, () => undefined)
  }
  return (
    <Confirmation
      title={t('Plan work')}
      text={t('The work appears among what is planned, and with a date in the calendar. Alerts stay open until it is done.')}
      label={t('Plan')}
      change={create}
      onConfirm={confirm}
      onClose={onClose}
    >
      {subject.vehicleId === undefined && <VehicleField value={vehicleId} onChange={setVehicleId} />}
      {subject.component === undefined && <ComponentField value={component} onChange={setComponent} />}
      <DayField label={t('Day')} value={day} onChange={setDay} />
      <NotesField value={notes} onChange={setNotes} />
    </Confirmation>
  )
}
