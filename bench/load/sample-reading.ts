/** One reading as a typical OBD dongle sends it, as JSON text. `n` makes it unlike every other. */
export function sampleReadingJson(deviceId: string, recordedAtMs: number, n: number): string {
  const latitude = (28.4 + (n % 4000) / 10_000).toFixed(5)
  const longitude = (77.0 + (n % 5000) / 10_000).toFixed(5)
  const time = new Date(recordedAtMs).toISOString()
  return (
    `{"device_id":"${deviceId}","timestamp":"${time}","lat":${latitude},"lon":${longitude},"speed":${n % 110},"heading":${n % 360},` +
    `"ignition":true,"rpm":${800 + (n % 2500)},"coolant_temp":${80 + (n % 14)},"battery_voltage":13.${n % 10},"fuel_level":${20 + (n % 60)},"odometer":${100_000 + n / 10}}`
  )
}
