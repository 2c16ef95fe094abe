import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { offeredVehiclesQuery } from '../api/fleet-queries.ts'
import { vehicleNameQuery } from '../api/vehicle-names.ts'
import { vehicleLabel } from '../text/format.ts'
import { t } from '../text/translate.ts'

const TYPING_PAUSE_MS = 250

type VehiclesSelectProps = Omit<MultiSelectProps, 'data' | 'value' | 'onChange' | 'searchable' | 'filter'> & {
  value: readonly string[]
  onChange: (vehicleIds: string[]) => void
  /** Of those that are found, which are offered. */
  isOffered?: (vehicle: Vehicle) => boolean
}

/** Several vehicles of a fleet of any size: what is typed is looked for by the service. */
export function VehiclesSelect({ value, onChange, isOffered = () => true, ...rest }: VehiclesSelectProps) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS)
  const names = useQueries({ queries: value.map(vehicleNameQuery) })
  const found = useQuery(offeredVehiclesQuery(search)).data?.vehicles ?? []
  const chosen = value.map((id, index) => ({ value: id, label: names[index]?.data ?? id }))
  const offered = found.filter((vehicle) => !value.includes(vehicle.id) && isOffered(vehicle))
  return (
    <MultiSelect
      {...rest}
      searchable
      value={[...value]}
      data={[...chosen, ...offered.map((vehicle) => ({ value: vehicle.id, label: vehicleLabel(vehicle) }))]}
      filter={({ options }) => options}
      onSearchChange={setTyped}
      onChange={onChange}
      nothingFoundMessage={t('No vehicle has this name')}
    />
  )
}
