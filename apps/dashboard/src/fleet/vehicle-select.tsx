import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { offeredVehiclesQuery } from '../api/fleet-queries.ts'
import { vehicleQuery } from '../api/queries.ts'
import { vehicleLabel } from '../text/format.ts'

const TYPING_PAUSE_MS = 250

type VehicleSelectProps = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'searchable' | 'filter'> & {
  value: string | null
  onChange: (vehicleId: string | null) => void
  /** Of those that are found, which are offered. */
  isOffered?: (vehicle: Vehicle) => boolean
}

/** A vehicle of a fleet of any size: what is typed is looked for by the service. */
export function VehicleSelect({ value, onChange, isOffered, ...rest }: VehicleSelectProps) {
  const chosen = useQuery({ ...vehicleQuery(value ?? ''), enabled: value !== null, refetchInterval: false }).data
  const [typed, setTyped] = useState('')
  const chosenLabel = chosen === undefined ? undefined : vehicleLabel(chosen)
  // Mantine writes the label of what is chosen into the field; that is no search.
  const [search] = useDebouncedValue(typed === chosenLabel ? '' : typed.trim(), TYPING_PAUSE_MS)
  const found = useQuery(offeredVehiclesQuery(search)).data?.vehicles ?? []
  const offered = found.filter((vehicle) => vehicle.id !== value && (isOffered?.(vehicle) ?? true))
  const options = [...(value === null ? [] : [{ value, label: chosenLabel ?? value }]), ...offered.map(optionOf)]
  return (
    <Select
      {...rest}
      searchable
      value={value}
      data={options}
      filter={({ options: all }) => all}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  )
}

function optionOf(vehicle: Vehicle): { value: string; label: string } {
  return { value: vehicle.id, label: vehicleLabel(vehicle) }
}
