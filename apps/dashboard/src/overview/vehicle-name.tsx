import type { VehicleReference } from '@roadworthy/contracts/platform-v1/overview'
import { Link } from '@tanstack/react-router'
import { vehicleLabel } from '../text/format.ts'

export function VehicleName({ vehicle }: { vehicle: VehicleReference }) {
  return (
    <Link to="/vehicles/$vehicleId" params={{ vehicleId: vehicle.id }} className="vehicle-link breaking">
      {vehicleLabel(vehicle)}
    </Link>
  )
}
