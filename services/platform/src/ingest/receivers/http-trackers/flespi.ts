// What a flespi stream sends: an array of flat messages, whatever the tracker's own protocol was. After the parameters that flespi lists for its protocols
// (https://flespi.com/protocols) and Traccar's FlespiProtocolDecoder.

import { booleanOf, numberOf, objectOf, type TrackerReading, TrackerRecord, timeText } from './tracker-reading.ts'

/** Several parameters may hold one signal; what the bus of the vehicle says counts for more than what the tracker measured. */
const measured: readonly (readonly [key: string, parameters: readonly string[]])[] = [
  ['speed', ['can.vehicle.speed', 'position.speed']],
  ['rpm', ['can.engine.rpm', 'engine.rpm']],
  ['coolant_temp', ['can.engine.coolant.temperature', 'can.engine.temperature', 'engine.coolant.temperature']],
  ['engineOilTemp', ['can.engine.oil.temperature', 'engine.oil.temperature']],
  // %; volumes are litres.
  ['fuel_level', ['can.fuel.level', 'fuel.level']],
  // km. `gps.vehicle.mileage` and `segment.vehicle.mileage` are no odometer of the vehicle.
  ['odometer', ['can.vehicle.mileage', 'vehicle.mileage']],
  ['battery_voltage', ['external.powersource.voltage']],
  ['device_battery_voltage', ['battery.voltage']],
  ['device_battery', ['battery.level']],
  ['intake_air_temp', ['can.intake.air.temperature']],
  ['ambient_temp', ['can.ambient.air.temperature']],
  ['heading', ['position.direction']],
  ['altitude', ['position.altitude']],
  ['satellites', ['position.satellites']],
]
/** What a receiver without a fix repeats or makes up. */
const ofFix: ReadonlySet<string> = new Set(['position.speed', 'position.direction', 'position.altitude'])
const known: ReadonlySet<string> = new Set([
  ...measured.flatMap(([, parameters]) => parameters),
  ...['ident', 'timestamp', 'position.latitude', 'position.longitude', 'position.valid', 'engine.ignition.status', 'can.mil.status'],
])
/** Understood, and no signal: of flespi itself, of the radio, and hours of the engine's whole life. */
const kept: ReadonlySet<string> = new Set([
  ...['channel.id', 'protocol.id', 'device.id', 'device.name', 'device.type.id'],
  ...['position.hdop', 'position.pdop', 'gsm.signal.level', 'movement.status', 'engine.motorhours', 'vehicle.vin', 'gps.vehicle.mileage'],
])
/** Of how flespi got the message. A tracker that sends one again comes from another port at another time, and it is the same reading. */
const dropped: ReadonlySet<string> = new Set(['server.timestamp', 'peer', 'message.buffered.status'])
/** The first that is true is the event. */
const triggers: readonly (readonly [parameter: string, event: string])[] = [
  ['alarm.event.trigger', 'sos'],
  ['alarm.event', 'sos'],
  ['crash.event', 'crash'],
  ['towing.event.trigger', 'tow'],
  ['towing.alarm.status', 'tow'],
  ['gsm.jamming.event.trigger', 'jamming'],
  ['overspeeding.event.trigger', 'overspeed'],
  ['overspeeding.event', 'overspeed'],
  ['geofence.event.enter', 'geofence_enter'],
  ['geofence.event.exit', 'geofence_exit'],
  ['harsh.acceleration.event.trigger', 'harsh_acceleration'],
  ['harsh.acceleration.event', 'harsh_acceleration'],
  ['harsh.braking.event.trigger', 'harsh_braking'],
  ['harsh.braking.event', 'harsh_braking'],
  ['harsh.cornering.event.trigger', 'harsh_cornering'],
  ['harsh.cornering.event', 'harsh_cornering'],
]
const triggerNames: ReadonlySet<string> = new Set(triggers.map(([parameter]) => parameter))

/** One message. Never throws; `''` for a device that is not named. */
export function parseFlespiMessage(body: unknown): TrackerReading {
  const message = objectOf(body)
  const record = new TrackerRecord()
  const { ident, timestamp } = message
  const epochS = numberOf(timestamp)
  record.set('timestamp', epochS === undefined ? timestamp : timeText(Math.round(epochS * 1_000), timestamp))
  const latitude = message['position.latitude']
  const longitude = message['position.longitude']
  const isFix = booleanOf(message['position.valid']) !== false
  if (isFix) record.place(latitude, longitude)
  else record.keepWithoutFix(latitude, longitude)
  for (const [key, all] of measured) {
    const parameters = isFix ? all : all.filter((each) => !ofFix.has(each))
    const parameter =
      parameters.find((each) => numberOf(message[each]) !== undefined) ?? parameters.find((each) => message[each] !== undefined)
    if (parameter !== undefined) record.measure(key, parameter, message[parameter])
  }
  record.setFlag('ignition', 'engine.ignition.status', message['engine.ignition.status'])
  const isMilOn = booleanOf(message['can.mil.status'])
  if (isMilOn !== undefined) record.set('mil_lamp', isMilOn ? 'LAMP_ON' : 'LAMP_OFF')
  record.set('event', triggers.find(([parameter]) => message[parameter] === true)?.[1])
  for (const [key, value] of Object.entries(message)) {
    if (known.has(key) || dropped.has(key)) continue
    if (kept.has(key) || triggerNames.has(key)) keepUnlessIdle(record, key, value)
    else record.keepUnread(key, value)
  }
  return record.finish(typeof ident === 'string' || typeof ident === 'number' ? String(ident) : '')
}

/** A trigger that is not set says nothing. */
function keepUnlessIdle(record: TrackerRecord, key: string, value: unknown): void {
  if (!(triggerNames.has(key) && value === false)) record.keep(key, value)
}
