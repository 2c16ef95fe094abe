import { Button, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { batteryVoltages, drivetrains, fuelTypes, vehicleClasses } from '@roadworthy/signals/vehicle-description'
import { sentenceCase } from '@roadworthy/wording/sentence-case'
import { type FormEvent, useState } from 'react'
import { useChangeVehicle } from '../api/vehicle-queries.ts'
import { SubClientSelect } from '../devices/owner-selects.tsx'
import { useIsOfReseller } from '../session/use-session.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { TypedConfirmation } from '../shell/typed-confirmation.tsx'
import { vehicleLabel } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { textFields, type VehicleEdits, vehicleChanges } from './vehicle-edits.ts'

/** As the service takes them. */
const MAX_LENGTHS = { name: 200, licensePlate: 32, vin: 17, make: 200, model: 200, externalRef: 200 } as const
const [FIRST_YEAR, LAST_YEAR] = [1900, 2100]

/** Its record, whose it is, and whether it is in service. Only for people who may change it. */
export function EditTab({ vehicle }: { vehicle: Vehicle }) {
  return (
    <Stack gap="md">
      <RecordPanel vehicle={vehicle} />
      <ServicePanel vehicle={vehicle} />
    </Stack>
  )
}

function RecordPanel({ vehicle }: { vehicle: Vehicle }) {
  const change = useChangeVehicle(vehicle.id)
  const isOfReseller = useIsOfReseller()
  const [edits, setEdits] = useState<VehicleEdits>({})
  const edit = (edited: VehicleEdits) => {
    change.reset()
    setEdits({ ...edits, ...edited })
  }
  const changes = vehicleChanges(vehicle, edits)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (Object.keys(changes).length > 0) change.mutate(changes, { onSuccess: () => setEdits({}) })
  }
  const labels = {
    ...{ name: t('Name'), licensePlate: t('Registration plate'), vin: t('VIN') },
    ...{ make: t('Make'), model: t('Model'), externalRef: t('Your own reference') },
  }
  const subClientId = edits.subClientId === undefined ? vehicle.subClientId : edits.subClientId
  return (
    <Panel title={t('The vehicle')}>
      <form onSubmit={submit}>
        <Stack gap="xs" className="form-column">
          {textFields.map((field) => (
            <TextInput
              key={field}
              label={labels[field]}
              maxLength={MAX_LENGTHS[field]}
              value={String(edits[field] ?? (field in edits ? '' : (vehicle[field] ?? '')))}
              onChange={(event) => edit({ [field]: event.currentTarget.value })}
            />
          ))}
          <NumberInput
            label={t('Model year')}
            min={FIRST_YEAR}
            max={LAST_YEAR}
            allowDecimal={false}
            hideControls
            value={edits.year ?? ('year' in edits ? '' : (vehicle.year ?? ''))}
            onChange={(year) => edit({ year })}
          />
          <KindFields vehicle={vehicle} edits={edits} onEdit={edit} />
          {isOfReseller && (
            <SubClientSelect value={subClientId === null ? null : String(subClientId)} onChange={(value) => edit({ subClientId: value })} />
          )}
          {changes.subClientId !== undefined && (
            <Text size="sm" role="note">
              {t('Devices of the sub-client before are unlinked from the vehicle. Its history moves with it.')}
            </Text>
          )}
          <Refusal error={change.error} />
          <Group justify="flex-end" gap="sm">
            {change.isSuccess && (
              <Text size="sm" c="dimmed" role="status">
                {t('Saved')}
              </Text>
            )}
            <Button type="submit" size="sm" loading={change.isPending}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}

type KindFieldsProps = { vehicle: Vehicle; edits: VehicleEdits; onEdit: (edited: VehicleEdits) => void }

/** What predictions go by. */
function KindFields({ vehicle, edits, onEdit }: KindFieldsProps) {
  return (
    <>
      <ListField
        label={t('Kind of vehicle')}
        values={vehicleClasses}
        value={chosen(vehicle, edits, 'vehicleClass')}
        onChange={(vehicleClass) => onEdit({ vehicleClass })}
      />
      <ListField
        label={t('Fuel')}
        values={fuelTypes}
        value={chosen(vehicle, edits, 'fuelType')}
        onChange={(fuelType) => onEdit({ fuelType })}
      />
      <ListField
        label={t('Drive')}
        values={drivetrains}
        value={chosen(vehicle, edits, 'drivetrain')}
        onChange={(drivetrain) => onEdit({ drivetrain })}
      />
      <ListField
        label={t('Battery voltage (V)')}
        values={batteryVoltages.map(String)}
        value={chosen(vehicle, edits, 'batteryNominalV')}
        onChange={(value) => onEdit({ batteryNominalV: value === null ? null : Number(value) })}
      />
    </>
  )
}

type ListFieldProps = { label: string; values: readonly string[]; value: string | null; onChange: (value: string | null) => void }

function ListField({ label, values, value, onChange }: ListFieldProps) {
  const options = values.map((each) => ({ value: each, label: sentenceCase(each) }))
  return <Select label={label} placeholder={t('Not known')} clearable data={options} value={value} onChange={onChange} />
}

function chosen(
  vehicle: Vehicle,
  edits: VehicleEdits,
  field: 'vehicleClass' | 'fuelType' | 'drivetrain' | 'batteryNominalV',
): string | null {
  const value = field in edits ? edits[field] : vehicle[field]
  return value == null ? null : String(value)
}

function ServicePanel({ vehicle }: { vehicle: Vehicle }) {
  const [isOpen, setOpen] = useState(false)
  const change = useChangeVehicle(vehicle.id)
  const isRetired = vehicle.status === 'retired'
  const label = vehicleLabel(vehicle)
  const close = () => {
    change.reset()
    setOpen(false)
  }
  const confirm = () => change.mutate({ status: isRetired ? 'active' : 'retired' }, { onSuccess: close })
  return (
    <Panel title={t('In service')}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {isRetired
            ? t('The vehicle is retired: it is not listed, not judged, and opens no alerts. Its history is kept.')
            : t('Retire a vehicle that was sold or scrapped. Its history is kept, and it can be restored.')}
        </Text>
        <Button variant="default" onClick={() => setOpen(true)}>
          {isRetired ? t('Restore the vehicle') : t('Retire the vehicle')}
        </Button>
      </Stack>
      {isOpen && isRetired && (
        <Confirmation
          title={t('Restore {vehicle}', { vehicle: label })}
          text={t('It is listed and judged again. Its devices have to be linked to it anew, on their pages.')}
          label={t('Restore')}
          change={change}
          onConfirm={confirm}
          onClose={close}
        />
      )}
      {isOpen && !isRetired && (
        <TypedConfirmation
          title={t('Retire {vehicle}', { vehicle: label })}
          text={t(
            'It leaves the lists, is judged no more, and opens no alerts. Its devices are unlinked: what they send is kept under them alone.',
          )}
          label={t('Retire')}
          word={label}
          change={change}
          onConfirm={confirm}
          onClose={close}
        />
      )}
    </Panel>
  )
}
