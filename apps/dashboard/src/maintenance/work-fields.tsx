// Fields that the dialogs about work share.

import { Autocomplete, NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { vehicleNameQuery } from '../api/vehicle-names.ts'
import { VehicleSelect } from '../fleet/vehicle-select.tsx'
import { componentName, componentOf } from '../health/component-name.ts'
import { numberMarks } from '../text/number-marks.ts'
import { t } from '../text/translate.ts'
import { givenValue, shownUnit, shownValue } from '../text/units.ts'

/** Those with a life that maintenance resets; any other name is kept as it is called. */
const LIVING_COMPONENTS = ['battery', 'brakes', 'charging', 'cooling', 'engine', 'fuel', 'transmission']
/** A name of the list, which may have any letter, or what the service takes as a name. */
const COMPONENT_PATTERN = [...LIVING_COMPONENTS.map(componentName), '[A-Za-z][A-Za-z0-9]*([ _\\-][A-Za-z0-9]+)*'].join('|')
const MAX_ODOMETER_KM = 10_000_000
const MAX_NOTES_LENGTH = 2_000

type FieldProps<Value> = { value: Value; onChange: (value: Value) => void }

export function VehicleField({
  value,
  onChange,
  label = t('Vehicle'),
  isFilter = false,
}: FieldProps<string | null> & { label?: string; isFilter?: boolean }) {
  return (
    <VehicleSelect
      label={label}
      placeholder={isFilter ? t('All') : t('Plate or name')}
      clearable={isFilter}
      required={!isFilter}
      value={value}
      onChange={onChange}
      nothingFoundMessage={t('No vehicle has this name')}
    />
  )
}

export function ComponentField({ value, onChange }: FieldProps<string>) {
  const [typed, setTyped] = useState(value === '' ? '' : componentName(value))
  return (
    <Autocomplete
      label={t('Part')}
      description={t('One of the list has a life that predictions follow. Any other name is kept as it is.')}
      required
      maxLength={64}
      pattern={COMPONENT_PATTERN}
      title={t('Letters from a to z and digits, such as oil filter')}
      value={typed}
      onChange={(text) => {
        setTyped(text)
        onChange(componentOf(text))
      }}
      data={LIVING_COMPONENTS.map(componentName)}
    />
  )
}

/** Kept as typed until the person leaves the field. */
export function ComponentFilter({ value, onChange }: FieldProps<string>) {
  const [typed, setTyped] = useState(value === '' ? '' : componentName(value))
  return (
    <Autocomplete
      label={t('Part')}
      placeholder={t('All')}
      clearable
      maxLength={64}
      value={typed}
      data={LIVING_COMPONENTS.map(componentName)}
      onChange={(text) => {
        setTyped(text)
        if (text === '' || LIVING_COMPONENTS.includes(componentOf(text))) onChange(componentOf(text))
      }}
      onBlur={() => onChange(componentOf(typed))}
      onKeyDown={({ key }) => key === 'Enter' && onChange(componentOf(typed))}
    />
  )
}

export function DayField({ label, value, onChange, required = false }: FieldProps<string> & { label: string; required?: boolean }) {
  return (
    <TextInput
      type="date"
      label={label}
      min="1900-01-01"
      max="2199-12-30"
      required={required}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

type OdometerFieldProps = FieldProps<string | number> & { description?: string }

/** In the unit of the person; `givenKm` is for the API. */
export function OdometerField({ description, value, onChange }: OdometerFieldProps) {
  return (
    <NumberInput
      label={t('Odometer ({unit})', { unit: shownUnit('km') })}
      description={description}
      min={0}
      max={maxOdometer()}
      {...numberMarks}
      hideControls
      value={value}
      onChange={onChange}
    />
  )
}

/** What the API takes at most, in the unit of the person. */
export function maxOdometer(): number {
  return Math.floor(shownValue('km', MAX_ODOMETER_KM))
}

export function shownOdometer(km: number | null): string | number {
  return km === null ? '' : Math.round(shownValue('km', km))
}

export function givenKm(odometer: number): number {
  return Math.round(givenValue('km', odometer))
}

export function NotesField({ value, onChange }: FieldProps<string>) {
  return (
    <Textarea
      label={t('Notes')}
      autosize
      minRows={2}
      maxRows={6}
      maxLength={MAX_NOTES_LENGTH}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

export type FindingName = 'sound' | 'worn' | 'failed'

export const findingLabels: Readonly<Record<FindingName, string>> = { sound: t('Sound'), worn: t('Worn'), failed: t('Failed') }

export function FindingField({ value, onChange }: FieldProps<FindingName | null>) {
  return (
    <Select
      label={t('How was the part?')}
      description={t('Predictions are judged by this. Left open, nothing is learned from the work.')}
      placeholder={t('Nobody looked')}
      clearable
      value={value}
      onChange={onChange}
      data={
        [
          { value: 'failed', label: t('Failed: it no longer worked') },
          { value: 'worn', label: t('Worn: it still worked') },
          { value: 'sound', label: t('Sound: nothing wrong with it') },
        ] as const
      }
    />
  )
}

/** `brakes` of the vehicle with this plate; null while none is chosen. */
export function useWorkTitle(vehicleId: string | null, component: string): string {
  return t('{part} of {vehicle}', { part: componentName(component), vehicle: useVehicleName(vehicleId) })
}

export function useVehicleName(vehicleId: string | null): string {
  const name = useQuery({ ...vehicleNameQuery(vehicleId ?? ''), enabled: vehicleId !== null }).data
  return name ?? vehicleId ?? ''
}
