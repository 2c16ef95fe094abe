// What the key of a reading starts with. Whoever asks for a vehicle's readings is led straight to them by it, because all readings of one source
// are of few vehicles: a gateway that reports for five hundred is five hundred sources.

/**
 * Not in any id: ours are three letters, a hyphen, and letters and digits (`newId`). Means nothing in a URL's path or query, in MQTT topics or
 * in LIKE patterns.
 */
const SEPARATOR = '.'

/** The source of a device's readings of a vehicle that is not its own. Those of its own, or of none, are of the source with the device's id. */
export function sourceOfNamed(deviceId: string, vehicleId: string): string {
  return `${deviceId}${SEPARATOR}${vehicleId}`
}

/** The device of a source of `sourceOfNamed`; undefined for any other source. */
export function namingDevice(sourceId: string): string | undefined {
  const at = sourceId.indexOf(SEPARATOR)
  return at < 0 ? undefined : sourceId.slice(0, at)
}

/** A device, a vehicle that was reported for without a device, or a device and the vehicle that it named. */
export const SOURCE_PATTERN = String.raw`[a-z]{3}-[a-z0-9]{8,40}(?:\.veh-[a-z0-9]{8,40})?`

/** Of what `SOURCE_PATTERN` allows. */
export const MAX_SOURCE_LENGTH = 2 * 44 + SEPARATOR.length
