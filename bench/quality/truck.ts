import { changed, type Trip } from './trips.ts'

/** Charging of a 24 V truck is 27.0 to 29.0 V where a car's is 13.2 to 14.4 V: twice as much, a little less at the upper end. */
const VOLTS_PER_CAR_VOLT = 2

/** The same trip as a truck would have reported it: twice the voltage, and an odometer that fits. */
export function asTruck(trip: Trip): Trip {
  return changed(trip, (reading) => {
    const volts = reading.record['battery_voltage']
    if (typeof volts !== 'number') return reading
    return {
      ...reading,
      record: { ...reading.record, battery_voltage: volts * VOLTS_PER_CAR_VOLT, odometer: 412_000 + reading.offsetS / 60 },
    }
  })
}
