// How often the engine alerts on sound recordings of other cars: `node bench/quality/other-cars.ts FOLDER [--json]`.
// Every CSV file of the folder is a trip, in the generic form (a header of wire keys, `time_s` or `timestamp`); its car is its name up to the
// first `-`. Replays them through /v1/predict with a history of 120 readings, as recorded, and prints each alert above `info`, and the rate
// with the interval that chance allows. The recordings stay where they are: who looks at alerts and then changes a rule has tuned on that car.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openRecording } from '@roadworthy/simulator/recordings/open-recording'
import { startEngine } from './engine-client.ts'
import { measureSound } from './measure.ts'
import { poissonInterval } from './poisson-interval.ts'
import { recordingSets, type Trip } from './trips.ts'

const PER_100_H = 100

const { values: flags, positionals } = parseArgs({ options: { json: { type: 'boolean', default: false } }, allowPositionals: true })
const folder = positionals[0]
if (folder === undefined) throw new Error('Which folder? node bench/quality/other-cars.ts FOLDER')

const files = readdirSync(folder)
  .filter((file) => /\.csv(\.gz)?$/.test(file))
  .sort()
const cars = [...new Set(files.map((file) => carOf(file)))]
const engine = await startEngine([])
try {
  const measured = []
  for (const car of cars) measured.push(await measureSound(engine, car, await readTripsOf(car)))
  print(measured)
} finally {
  await engine.stop()
}

function carOf(file: string): string {
  return file.replace(/\.csv(\.gz)?$/, '').split('-')[0] ?? file
}

function readTripsOf(car: string): Promise<Trip[]> {
  return Promise.all(
    files
      .filter((file) => carOf(file) === car)
      .map(async (file) => ({
        name: file,
        set: recordingSets[0],
        readings: await Array.fromAsync(openRecording(join(folder ?? '', file), 'csv')),
      })),
  )
}

function print(measured: readonly Awaited<ReturnType<typeof measureSound>>[]): void {
  const engineHours = measured.reduce((sum, car) => sum + car.engineHours, 0)
  const alertsAboveInfo = measured.reduce((sum, car) => sum + car.alertsAboveInfo, 0)
  const [least, most] = poissonInterval(alertsAboveInfo).map((count) => (PER_100_H * count) / engineHours)
  if (flags.json) {
    console.log(JSON.stringify({ engineHours, alertsAboveInfo, least, most, cars: measured }))
    return
  }
  console.table(measured.map(({ alarms: _, ...row }) => row))
  for (const { alarms } of measured) for (const alarm of alarms) console.log(`  ${alarm}`)
  const rate = (PER_100_H * alertsAboveInfo) / engineHours
  console.log(
    `${measured.length} cars, ${engineHours.toFixed(1)} h, ${alertsAboveInfo} alerts above info: ${rate.toFixed(1)} in 100 h, by chance ${least?.toFixed(2)} to ${most?.toFixed(1)} (95 %)`,
  )
}
