import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { vehiclesQuery } from '../api/queries.ts'
import { subClientChoicesQuery } from '../api/sub-client-queries.ts'
import { vehicleLabel } from '../text/format.ts'

/** As many as one can look through; typing finds the others. */
const SHOWN_CHOICES = 100

type SelectProps = { value: string | null; onChange: (value: string | null) => void; error?: string | undefined }

export function SubClientSelect({ value, onChange }: SelectProps) {
  const choices = useQuery(subClientChoicesQuery).data?.subClients ?? []
  const options = choices
    .filter(({ id, status }) => status === 'active' || id === value)
    .map(({ id, name }) => ({ value: id, label: name === id ? id : `${name} (${id})` }))
  return (
    <Select
      label="Sub-client"
      placeholder="None"
      clearable
      searchable
      limit={SHOWN_CHOICES}
      value={value}
      data={options}
      onChange={onChange}
    />
  )
}

/** Of the vehicles of no sub-client and of this one: a device is in no vehicle of another. */
export function VehicleSelect({ value, onChange, error, subClientId }: SelectProps & { subClientId: string | null }) {
  const vehicles = useQuery(vehiclesQuery).data?.vehicles ?? []
  const options = vehicles
    .filter(
      (vehicle) => vehicle.id === value || subClientId === null || vehicle.subClientId === null || vehicle.subClientId === subClientId,
    )
    .map((vehicle) => ({ value: vehicle.id, label: vehicleLabel(vehicle) }))
  return (
    <Select
      label="Vehicle"
      placeholder="None"
      clearable
      searchable
      limit={SHOWN_CHOICES}
      value={value}
      data={options}
      error={error}
      onChange={onChange}
    />
  )
}
