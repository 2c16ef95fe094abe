import { Checkbox, List, Text, TextInput } from '@mantine/core'
import type { Maintenance } from '@roadworthy/contracts/platform-v1/maintenance'
import { useState } from 'react'
import { useCompleteWork, useCreateWork } from '../api/maintenance-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { fromInput, LATEST_INPUT } from '../text/time-input.ts'
import { t } from '../text/translate.ts'
import { CostField, useCostEntry } from './cost-field.tsx'
import { effectsOf } from './work-effects.ts'
import {
  ComponentField,
  FindingField,
  type FindingName,
  givenKm,
  NotesField,
  OdometerField,
  useWorkTitle,
  VehicleField,
} from './work-fields.tsx'

/** `id`: of planned work. Without one the work was not planned, and is put on record at once. */
export type WorkSubject = Partial<Pick<Maintenance, 'id' | 'vehicleId' | 'component' | 'renewed' | 'cost' | 'notes'>> & {
  readonly scheduleId?: string | null
  readonly predictionId?: string | null
}

type CompleteWorkDialogProps = {
  subject?: WorkSubject
  /** What else comes with the work. */
  onCompleted?: (work: Maintenance) => void
  onClose: () => void
}

/** What is given in `subject` is not asked for. */
export function CompleteWorkDialog({ subject = {}, onCompleted, onClose }: CompleteWorkDialogProps) {
  const [vehicleId, setVehicleId] = useState(subject.vehicleId ?? null)
  const [component, setComponent] = useState(subject.component ?? '')
  const [completedAt, setCompletedAt] = useState('')
  const [odometer, setOdometer] = useState<string | number>('')
  const [finding, setFinding] = useState<FindingName | null>(null)
  const [renewed, setRenewed] = useState(subject.renewed ?? true)
  const [notes, setNotes] = useState(subject.notes ?? '')
  const cost = useCostEntry(subject.cost ?? null)
  const { save, change } = useSaving(subject, (work) => {
    onCompleted?.(work)
    onClose()
  })
  const title = useWorkTitle(vehicleId, component)
  const confirm = () => {
    const read = cost.read()
    if (vehicleId === null || read === 'refused') return
    save(vehicleId, component.trim(), {
      ...(completedAt === '' ? {} : { completedAt: fromInput(completedAt) }),
      ...(typeof odometer === 'number' ? { odometer_km: givenKm(odometer) } : {}),
      ...(finding === null ? {} : { condition_found: finding }),
      ...(read === undefined ? {} : { cost: read }),
      ...(notes.trim() === '' ? {} : { notes: notes.trim() }),
      renewed,
    })
  }
  return (
    <Confirmation
      title={
        subject.vehicleId === undefined || subject.component === undefined ? t('Work was done') : t('Work was done: {title}', { title })
      }
      text={t('This puts the work on record. It cannot be undone; mistakes can be corrected in the record.')}
      label={t('Complete')}
      change={change}
      onConfirm={confirm}
      onClose={onClose}
    >
      {subject.vehicleId === undefined && <VehicleField value={vehicleId} onChange={setVehicleId} />}
      {subject.component === undefined && <ComponentField value={component} onChange={setComponent} />}
      <TextInput
        type="datetime-local"
        label={t('When')}
        description={t('Now, when left open.')}
        max={LATEST_INPUT}
        value={completedAt}
        onChange={(event) => setCompletedAt(event.currentTarget.value)}
      />
      <OdometerField description={t('What the vehicle reported then, when left open.')} value={odometer} onChange={setOdometer} />
      <FindingField value={finding} onChange={setFinding} />
      <Checkbox
        label={t('The part is new now')}
        description={t('Not after an inspection, an oil change or a repair that leaves the part its age.')}
        checked={renewed}
        onChange={(event) => setRenewed(event.currentTarget.checked)}
      />
      <CostField {...cost.field} />
      <NotesField value={notes} onChange={setNotes} />
      <Effects
        effects={effectsOf({ component: component === '' ? t('the part') : component, scheduleId: subject.scheduleId ?? null, renewed })}
      />
    </Confirmation>
  )
}

function Effects({ effects }: { effects: readonly string[] }) {
  return (
    <div aria-live="polite">
      <Text size="sm" fw={600}>
        {t('What this does')}
      </Text>
      <List size="sm">
        {effects.map((effect) => (
          <List.Item key={effect}>{effect}</List.Item>
        ))}
      </List>
    </div>
  )
}

type Done = Parameters<ReturnType<typeof useCompleteWork>['mutate']>[0]['done']

/** The list may lose the row that the dialog belongs to before the answer is read: what follows must not depend on the dialog. */
function useSaving({ id, scheduleId, predictionId }: WorkSubject, onSaved: (work: Maintenance) => void) {
  const complete = useCompleteWork()
  const create = useCreateWork()
  const store = async (vehicleId: string, component: string, done: Done) => {
    if (id !== undefined) return await complete.mutateAsync({ id, done })
    const links = {
      ...(scheduleId === undefined || scheduleId === null ? {} : { scheduleId }),
      ...(predictionId === undefined || predictionId === null ? {} : { predictionId }),
    }
    return await create.mutateAsync({ vehicleId, component, status: 'completed', ...links, ...done })
  }
  // What was refused stands in the dialog.
  const save = (...work: Parameters<typeof store>) => void store(...work).then(onSaved, () => undefined)
  return { save, change: id === undefined ? create : complete }
}
