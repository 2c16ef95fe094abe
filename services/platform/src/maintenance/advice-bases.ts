import type { LoadAdviceBases } from '../predictions/dated-advice.ts'
import { vehicleKeyText } from '../predictions/vehicle-key.ts'
import { selectReseller } from '../resellers/resellers.sql.ts'
import { selectUseAcrossResellers } from './use.read.sql.ts'

/** From the reseller's lead time, and what is known of the odometers and the daily use of these vehicles. */
export const loadAdviceBases: LoadAdviceBases = async (db, resellerId, vehicleIds, at) => {
  const vehicles = vehicleIds.map((vehicleId) => ({ resellerId, vehicleId }))
  const [reseller, uses] = await Promise.all([selectReseller(db, resellerId), selectUseAcrossResellers(db, vehicles, at)])
  if (reseller === undefined) throw new Error(`there is no reseller ${resellerId}`)
  const { maintenanceLeadDays: leadDays } = reseller
  return (vehicleId) => {
    const use = uses.get(vehicleKeyText({ resellerId, vehicleId }))
    return { leadDays, odometerKm: use?.odometerKm, kmPerDay: use?.kmPerDay }
  }
}
