// The small files that the examples of `train`, `evaluate` and `fit` name, made by one formula each: what wears, wears from the middle of its
// life on.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

const UNITS = 8
const SHORTEST_LIFE = 50
const CMAPSS_SENSORS = 21
/** Of its life, as much as a run that was cut off shows. */
const TOLD_SHARE = 0.7

/** A wave that never repeats itself, in place of noise. */
const wave = (at: number) => Math.sin(at * 1.7) + Math.sin(at * 0.53)
const lifeOf = (unit: number) => SHORTEST_LIFE + ((unit * 13) % 40)
const wearOf = (unit: number, age: number) => Math.max(0, age / lifeOf(unit) - 0.5) * 40

/** Rows of every unit, up to `share` of its life. */
function eachReading<Row>(share: number, rowOf: (unit: number, age: number) => Row): Row[] {
  return Array.from({ length: UNITS }, (_, index) => index + 1).flatMap((unit) =>
    Array.from({ length: Math.floor(lifeOf(unit) * share) }, (_, age) => rowOf(unit, age + 1)),
  )
}

const lineOf = (unit: number, age: number) =>
  [unit, age, 40 + (age % 3), 200 + (age % 2) * 50, (80 + wearOf(unit, age) + wave(age + unit)).toFixed(2)].join(',')

const cmapssLineOf = (unit: number, age: number) => {
  const sensors = Array.from({ length: CMAPSS_SENSORS }, (_, at) => (at < 3 ? wearOf(unit, age) + wave(age * (at + 1)) : 1).toFixed(3))
  return [unit, age, 0, 0, 100, ...sensors].join(' ')
}

export function writeExampleTables(folder: string): void {
  const write = (name: string, content: string | Buffer) => writeFileSync(path.join(folder, name), content)
  const lives = Array.from({ length: UNITS }, (_, index) => lifeOf(index + 1) - Math.floor(lifeOf(index + 1) * TOLD_SHARE))
  write('runs.csv', ['unit,cycle,load,altitude,heat', ...eachReading(1, lineOf)].join('\n'))
  write('runs.csv.gz', gzipSync(['vin,hours,load,altitude,heat', ...eachReading(1, lineOf)].join('\n')))
  write('test-runs.csv', ['unit,cycle,load,altitude,heat', ...eachReading(TOLD_SHARE, lineOf)].join('\n'))
  write('truth.csv', ['unit,rul', ...lives.map((life, index) => `${index + 1},${life}`)].join('\n'))
  write('train_FD001.txt', eachReading(1, cmapssLineOf).join('\n'))
  write('test_FD001.txt', eachReading(TOLD_SHARE, cmapssLineOf).join('\n'))
  write('RUL_FD001.txt', lives.join('\n'))
  write('lives.csv', 'hours,failed\n900,1\n1400,1\n2000,0\n')
  write('rows.csv', labelledRows(0))
  write('test.csv', labelledRows(1000))
  write('test.csv.gz', gzipSync(labelledRows(1000)))
  for (const part of ['trips', 'recordings/vans', 'recordings/cars']) mkdirSync(path.join(folder, part), { recursive: true })
  for (let trip = 0; trip < TRIPS; trip++) {
    write(`trips/${trip}.csv`, tripOf(trip))
    write(`recordings/${trip % 2 === 0 ? 'vans' : 'cars'}/${trip}.csv.gz`, gzipSync(tripOf(trip)))
  }
}

function labelledRows(from: number): string {
  const rows = Array.from({ length: 120 }, (_, index) => {
    const [rpm, coolant] = [1200 + 400 * wave(from + index), 95 + 8 * wave((from + index) * 2.3)]
    const isWorn = coolant + rpm / 200 > 101
    return `V${index % 12},${rpm.toFixed(0)},${coolant.toFixed(1)},${isWorn ? 1 : 0},${isWorn ? 'worn' : 'good'}`
  })
  return ['vin,rpm,coolant,failed,state', ...rows].join('\n')
}

const TRIPS = 12
const TRIP_S = 400

function tripOf(trip: number): string {
  const rows = Array.from({ length: TRIP_S }, (_, second) => {
    const rpm = 1200 + 400 * Math.sin(second / 20 + trip)
    const coolantC = Math.round(88 - 40 * Math.exp(-second / 150) + Math.sin(second / 7 + trip))
    const volts = (13.8 + 0.1 * Math.sin(second / 11 + trip)).toFixed(2)
    return `${second},${rpm.toFixed(0)},${coolantC},${volts},${(rpm / 30).toFixed(0)}`
  })
  return ['time_s,rpm,coolant_temp,battery_voltage,speed', ...rows].join('\n')
}
