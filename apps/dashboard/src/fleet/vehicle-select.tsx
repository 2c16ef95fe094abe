import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { useQuery } from '@tanstack/react-query'
import { offeredVehiclesQuery } from '../api/fleet-queries.ts'
import { vehicleQuery } from '../api/queries.ts'
import { FoundSelect, type FoundSelectProps, useSearchText } from '../shell/found-select.tsx'
import { vehicleLabel } from '../text/format.ts'

const anyVehicle = () => true

/** `isOffered`: of the vehicles that are found, which are offered; all unless set. */
export function VehicleSelect({ isOffered = anyVehicle, ...rest }: FoundSelectProps & { isOffered?: (vehicle: Vehicle) => boolean }) {
  const { value } = rest
  const chosen = useQuery({ ...vehicleQuery(value ?? ''), enabled: value !== null, refetchInterval: false }).data
  const chosenLabel = chosen === undefined ? undefined : vehicleLabel(chosen)
  const [search, type] = useSearchText(chosenLabel)
  const vehicles = useQuery(offeredVehiclesQuery(search)).data?.vehicles ?? []
  const found = vehicles.filter(isOffered).map((vehicle) => ({ value: vehicle.id, label: vehicleLabel(vehicle) }))
  return <FoundSelect {...rest} chosenLabel={chosenLabel} found={found} onSearchChange={type} />
}
