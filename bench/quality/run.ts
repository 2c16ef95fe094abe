// How well the engine distinguishes faults from sound driving: `node bench/quality/run.ts [--every 0.5,1,2,5,10] [--full] [--developed] [--json]`.
// Replays the held-back trips of two real cars through /v1/predict with a history of 120 readings each, as they are, as a 24 V truck, and
// with faults put in. Prints a table and appends a line to bench/results/quality.jsonl. Options of the engine follow after `--`.
// `--full` tries every fault at more places; `--developed` takes the other trips, on which rules may be tuned, and records nothing.
import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startEngine } from './engine-client.ts'
import { faults } from './faults.ts'
import { measureFault, measureSound } from './measure.ts'
import { readTrips, recordingSets, type Trip } from './trips.ts'
import { asTruck } from './truck.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const { values: flags, positionals: engineArgs } = parseArgs({
  options: {
    data: { type: 'string' },
    json: { type: 'boolean' },
    full: { type: 'boolean', default: false },
    developed: { type: 'boolean', default: false },
    every: { type: 'string', default: '0.5,1,2,5,10' },
  },
  allowPositionals: true,
})
const dataDir = resolve(ROOT, flags.data ?? process.env['ROADWORTHY_DATA'] ?? '../shared/data')
/** Bars of the product: alerts above info per 100 engine hours, and the share of faults found above info. */
const MOST_ALERTS_PER_100_H = 1
const LEAST_FOUND = 0.9
const sampled = { startsPerTrip: 2, mostPlaces: 24 }
const everywhere = { startsPerTrip: 4, mostPlaces: Number.POSITIVE_INFINITY }

const engine = await startEngine(engineArgs)
try {
  process.exitCode = (await run()) ? 0 : 1
} finally {
  await engine.stop()
}

async function run(): Promise<boolean> {
  let isGood = true
  for (const everyS of flags.every.split(',').map(Number)) isGood = (await runAt(everyS)) && isGood
  return isGood
}

async function runAt(everyS: number): Promise<boolean> {
  const trips: Trip[] = []
  for (const set of recordingSets) {
    const read = await readTrips(dataDir, set, everyS, !flags.developed)
    if (read === undefined) {
      console.error(`There are no recordings in ${dataDir}/${set.folder}: give --data or ROADWORTHY_DATA.`)
      return false
    }
    trips.push(...read)
  }
  const sound = await Promise.all(
    recordingSets.map(({ car }) =>
      measureSound(
        engine,
        car,
        trips.filter((trip) => trip.set.car === car),
      ),
    ),
  )
  const truck = await measureSound(engine, '24 V truck', trips.filter(hasVoltage).map(asTruck))
  const found = []
  const { startsPerTrip, mostPlaces } = flags.full ? everywhere : sampled
  for (const fault of faults) found.push(await measureFault(engine, fault, trips, startsPerTrip, mostPlaces))
  if (!flags.json) print(everyS, [...sound, truck], found)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
  const line = JSON.stringify({
    at: new Date().toISOString(),
    commit,
    node: process.version,
    everyS,
    full: flags.full,
    sound: [...sound, truck],
    faults: found,
  })
  if (!flags.developed) appendFileSync(resolve(ROOT, 'bench/results/quality.jsonl'), `${line}\n`)
  if (flags.json) console.log(line)
  return (
    [...sound, truck].every(({ alertsPer100Hours, critical }) => alertsPer100Hours <= MOST_ALERTS_PER_100_H && critical === 0) &&
    found.every(
      ({ shownCount, foundAboveInfoShare, notAskedFor }) =>
        shownCount === 0 || notAskedFor !== undefined || foundAboveInfoShare >= LEAST_FOUND,
    )
  )
}

function hasVoltage({ set }: Trip): boolean {
  return set.format === 'carobd'
}

function print(
  everyS: number,
  sound: readonly Awaited<ReturnType<typeof measureSound>>[],
  found: readonly Awaited<ReturnType<typeof measureFault>>[],
): void {
  console.log(
    `\n${flags.developed ? 'Trips that are not held back' : 'Held-back trips'}, one reading in ${everyS} s, 120 readings of history\n`,
  )
  console.table(sound.map(({ alarms: _, ...row }) => row))
  for (const { alarms } of sound) for (const alarm of alarms) console.log(`  ${alarm}`)
  console.table(found.map(({ missed: _, notAskedFor: __, ...row }) => row))
  for (const { name, missed } of found) if (missed.length > 0) console.log(`  not detected above info, ${name}: ${missed.join(', ')}`)
}
