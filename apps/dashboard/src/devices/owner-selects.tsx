import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { subClientChoicesQuery } from '../api/sub-client-queries.ts'
import { VehicleSelect as AnyVehicleSelect } from '../fleet/vehicle-select.tsx'
import { t } from '../text/translate.ts'

/** As many as one can look through; typing finds the others. */
const SHOWN_CHOICES = 100

type SelectProps = { value: string | null; onChange: (value: string | null) => void; error?: string | undefined }
type Choice = { readonly value: string; readonly label: string }

/** `others`: what is offered before the sub-clients. */
export function SubClientSelect({
  value,
  onChange,
  placeholder = t('None'),
  others = [],
}: SelectProps & { placeholder?: string; others?: readonly Choice[] }) {
  const choices = useQuery(subClientChoicesQuery).data?.subClients ?? []
  const options = choices
    .filter(({ id, status }) => status === 'active' || id === value)
    .map(({ id, name }) => ({ value: id, label: name === id ? id : `${name} (${id})` }))
  return (
    <Select
      label={t('Sub-client')}
      placeholder={placeholder}
      clearable
      searchable
      limit={SHOWN_CHOICES}
      value={value}
      data={[...others, ...options]}
      onChange={onChange}
    />
  )
}

/** Of the vehicles of no sub-client and of this one: a device is in no vehicle of another. */
export function VehicleSelect({ value, onChange, error, subClientId }: SelectProps & { subClientId: string | null }) {
  return (
    <AnyVehicleSelect
      label={t('Vehicle')}
      placeholder={t('None')}
      clearable
      value={value}
      error={error}
      onChange={onChange}
      isOffered={(vehicle) => subClientId === null || vehicle.subClientId === null || vehicle.subClientId === subClientId}
    />
  )
}
