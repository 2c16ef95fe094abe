import { type FaultKind, faultKinds } from '@roadworthy/simulator/fleet/components'
import type { FaultPlan } from '@roadworthy/simulator/fleet/fleet'
import { MAX_FLEET_VEHICLES } from '@roadworthy/simulator/fleet/profile'
import { runDemo } from '@roadworthy/simulator/run-demo'
import { createApi } from '@roadworthy/simulator/senders/api'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Context, examples, handle, integerFrom, numberFrom, type Surroundings, urlOf } from '../command.ts'
import { CommandFailure } from '../failure.ts'
import { requestOk } from '../http-client.ts'
import { Stopped, stopOnSignals } from '../stop-signals.ts'

type SimulateOptions = {
  vehicles: number
  seed: number
  interval: number
  history: number
  duration?: number
  fault: string[]
  mqttUrl?: string
}

/** What a person calls a fault, beside the simulator's own names. */
const FAULT_WORDS: Readonly<Record<string, FaultKind>> = {
  cooling: 'coolant_leak',
  thermostat: 'thermostat_open',
  charging: 'alternator',
  lubrication: 'oil_pressure',
  engine: 'misfire',
  fuel: 'fuel_leak',
}
/** `battery`, `brakes` and `transmission` are both. */
const faultWords = [...Object.keys(FAULT_WORDS), ...faultKinds.filter((kind) => !Object.values(FAULT_WORDS).includes(kind))]
const faultChoices = [...new Set([...faultWords, ...faultKinds])]

/** A fault begins with live driving and is at its worst after this long. */
const FAULT_RAMP_S = 120
const MAX_TRIES = 20
/** The demo's is another, so that the two fleets do not take each other's devices. */
const SEED = 1

export function addSimulate(program: Command, surroundings: Surroundings): void {
  program
    .command('simulate')
    .description('register a fleet and drive it through the real receivers, every other vehicle over MQTT, until Ctrl-C or --duration')
    .option('--vehicles <n>', 'how many', integerFrom(1, MAX_FLEET_VEHICLES), 10)
    .option('--seed <n>', 'same seed, same fleet', integerFrom(0, 2 ** 31), SEED)
    .option('--interval <s>', 'seconds between readings while driving', numberFrom(0.5, 3_600), 2)
    .option('--history <min>', 'minutes of driving laid down first, ten seconds apart', numberFrom(0, 1_440), 5)
    .option('--duration <s>', 'stop after this long', numberFrom(1, 31_536_000))
    .addOption(
      new Option('--fault <fault>', `what breaks, first on the first vehicle, repeatable: ${faultWords.join(', ')}`)
        .argParser((word: string, previous: string[] | undefined) => [...(previous ?? []), chosenFault(word)])
        .default([], 'none'),
    )
    .option('--mqtt-url <url>', "broker (default: the instance's own)", urlOf('mqtt:', 'mqtts:'))
    .addHelpText(
      'after',
      examples(
        'npx roadworthy simulate --vehicles 10 --seed 3',
        'npx roadworthy simulate --vehicles 4 --fault cooling --fault battery --duration 60 --json',
      ),
    )
    .action(handle<SimulateOptions>(surroundings, simulate))
}

async function simulate(context: Context, options: SimulateOptions): Promise<void> {
  const { instance, out, now } = context
  const [baseUrl, apiKey, mqttUrl] = [instance.baseUrl(), instance.apiKey(), instance.mqttUrl(options.mqttUrl)]
  if (mqttUrl === undefined) throw new CommandFailure('The broker is not known: give --mqtt-url.')
  // Reported at once: the fleet itself would wait for a platform that is away.
  await requestOk(`${baseUrl}/api/external/devices?limit=1`, { apiKey })
  const stopped = stopOnSignals()
  const ending = options.duration === undefined ? stopped : AbortSignal.any([stopped, AbortSignal.timeout(options.duration * 1000)])
  const beganMs = now().getTime()
  const counts = await runDemo({
    api: createApi({ baseUrl, apiKey, maxTries: MAX_TRIES }),
    mqttUrl,
    vehicleCount: options.vehicles,
    seed: options.seed,
    intervalS: options.interval,
    backfillS: options.history * 60,
    stateFile: undefined,
    signal: ending,
    log: (line) => out.note(line.replace(/^demo: /, '')),
    now: () => now().getTime(),
    scenario: {
      wearFactor: 1,
      keepsFailing: false,
      openingFaults: (vehicleCount, liveAtMs) => faultPlans(options.fault, vehicleCount, liveAtMs),
    },
  }).catch((error: unknown) => {
    // Stopped while it was still registering: nothing was sent.
    if (!ending.aborted) throw error
    return { sent: 0, accepted: 0, duplicates: 0, rejected: 0 }
  })
  const { sent, accepted, duplicates, rejected } = counts
  const durationS = (now().getTime() - beganMs) / 1000
  const result = { vehicles: options.vehicles, seed: options.seed, sent, stored: accepted, duplicates, rejected, duration_s: durationS }
  out.answer(
    result,
    () =>
      `${sent} readings of ${options.vehicles} vehicles sent in ${durationS.toFixed(0)} s: ${accepted} stored, ${duplicates} known already, ${rejected} rejected`,
  )
  // Without --duration, Ctrl-C is the way it ends.
  if (stopped.aborted && stopped.reason instanceof Stopped && options.duration !== undefined) throw stopped.reason
}

function faultPlans(words: readonly string[], vehicleCount: number, liveAtMs: number): FaultPlan[] {
  return words.map((word, index) => {
    const kind = faultKinds.find((each) => each === (FAULT_WORDS[word] ?? word))
    if (kind === undefined) throw new CommandFailure(`There is no fault ${word}.`)
    return { vehicleIndex: index % vehicleCount, kind, onsetMs: liveAtMs, rampS: FAULT_RAMP_S }
  })
}

function chosenFault(word: string): string {
  if (faultChoices.includes(word)) return word
  throw new InvalidArgumentError(`One of these is wanted: ${faultWords.join(', ')}.`)
}
