import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { type Context, examples, handle, type Surroundings, urlOf } from '../command.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { type JsonBody, requestOk } from '../http-client.ts'
import { type Colour, coloured, formatTable } from '../output.ts'

type PredictOptions = { engineUrl?: string; engineKey?: string; platform?: boolean }

/** Spec §2.6, and `vehicle_id` of the External API among them. */
const VEHICLE_ID_KEYS = ['vehicleId', 'vehicle_id', 'vin', 'VIN', 'fleet_id', 'asset_id']

export function addPredict(program: Command, surroundings: Surroundings): void {
  program
    .command('predict <file>')
    .description('ask for health, alerts and remaining life: one vehicle, an array, or {"vehicles": […]}; "-" reads from stdin')
    .addOption(
      new Option('--engine-url <url>', "the ML engine (default: the instance's own)").env('ENGINE_URL').argParser(urlOf('http:', 'https:')),
    )
    .addOption(
      new Option('--engine-key <key>', 'key of a proxy in front of the engine at --engine-url; safer in the environment').env('ENGINE_KEY'),
    )
    .option('--platform', 'ask the External API instead: vehicles must be known there, and it takes its key')
    .addHelpText(
      'after',
      examples(
        `echo '{"vehicleId":"van-7","rpm":1850,"coolant_temp":116,"battery_voltage":13.9}' | npx roadworthy predict -`,
        `echo '[{"vehicleId":"a","coolant":92},{"vehicleId":"b","coolant":118}]' | npx roadworthy predict - --json`,
      ),
    )
    .action(handle<PredictOptions>(surroundings, predict))
}

async function predict(context: Context, options: PredictOptions, file = ''): Promise<void> {
  const { vehicles, isSingle } = vehiclesOf(await readInput(file), file)
  const answers = options.platform ? await askPlatform(context, vehicles) : await askEngine(context, options, vehicles, isSingle)
  const value = isSingle ? answers[0] : { count: answers.length, predictions: answers }
  context.out.answer(value, () => describe(answers))
  const refused = answers.filter((answer) => answer['error'] !== undefined)
  if (refused.length > 0) throw new CommandFailure(`${refused.length} of ${answers.length} vehicles could not be predicted.`)
}

async function readInput(file: string): Promise<unknown> {
  let content: string
  try {
    content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`, exitCodes.usage, error)
  }
  try {
    // Editors and shells on Windows put a byte order mark in front.
    return JSON.parse(content.replace(/^\ufeff/, '')) as unknown
  } catch (error) {
    const source = file === '-' ? 'What came from stdin' : file
    throw new CommandFailure(`${source} is not JSON: ${(error as Error).message}.`, exitCodes.usage, error)
  }
}

function vehiclesOf(input: unknown, file: string): { vehicles: JsonBody[]; isSingle: boolean } {
  const list = Array.isArray(input) ? input : isObject(input) && Array.isArray(input['vehicles']) ? input['vehicles'] : undefined
  const vehicles = list ?? [input]
  if (vehicles.length > 0 && vehicles.every(isObject)) return { vehicles, isSingle: list === undefined }
  throw new CommandFailure(`${file} must hold an object, an array of objects, or {"vehicles": […]}.`, exitCodes.usage)
}

async function askEngine(
  { instance }: Context,
  { engineUrl, engineKey }: PredictOptions,
  vehicles: JsonBody[],
  isSingle: boolean,
): Promise<JsonBody[]> {
  const url = instance.engineUrl(engineUrl)
  // Never sent to an engine that was not named with it.
  const bearer = engineUrl === undefined ? undefined : engineKey
  if (isSingle) return [await requestOk(`${url}/v1/predict`, { method: 'POST', body: vehicles[0], bearer })]
  const { predictions } = await requestOk(`${url}/v1/predict/batch`, { method: 'POST', body: { vehicles }, bearer })
  return predictions as JsonBody[]
}

async function askPlatform({ instance }: Context, vehicles: JsonBody[]): Promise<JsonBody[]> {
  const [url, apiKey] = [`${instance.baseUrl()}/api/external/predict`, instance.apiKey()]
  const answers: JsonBody[] = []
  for (const vehicle of vehicles) answers.push(await requestOk(url, { method: 'POST', apiKey, body: toExternal(vehicle) }))
  return answers
}

/** The External API keeps the sensors apart; the engine's flat form is turned into that. */
function toExternal(vehicle: JsonBody): JsonBody {
  if (isObject(vehicle['sensor_data'])) return vehicle
  const idKey = VEHICLE_ID_KEYS.find((key) => vehicle[key] !== undefined)
  const { timestamp, ...rest } = vehicle
  const sensors = Object.fromEntries(Object.entries(rest).filter(([key]) => key !== idKey))
  return { vehicle_id: vehicle[idKey ?? ''], sensor_data: sensors, ...(timestamp === undefined ? {} : { timestamp }) }
}

const statusColours: Readonly<Record<string, Colour>> = { healthy: 'green', warning: 'yellow', critical: 'red' }

const RISK_NOTE = '* rests on an assumption: how long parts last that show what was found'

/** Both shapes of spec §2.7 carry the first one's `predictions`; alerts have a name in each. */
function describe(answers: readonly JsonBody[]): string {
  const rows: string[][] = []
  const below: string[] = []
  for (const answer of answers) {
    const vehicleId = String(answer['vehicleId'] ?? '?')
    const { error, predictions } = answer as { error?: { message?: string }; predictions?: JsonBody }
    if (predictions === undefined) {
      rows.push([vehicleId, '-', coloured('red', 'refused'), '-', '-', error?.message ?? ''])
      continue
    }
    const status = String(predictions['healthStatus'])
    const alerts = (answer['alerts'] ?? answer['maintenance_alerts'] ?? []) as { severity: string; component: string; message: string }[]
    rows.push([
      vehicleId,
      String(predictions['healthScore']),
      coloured(statusColours[status] ?? 'bold', status),
      String(predictions['riskLevel']),
      String(answer['confidence']),
      shortestLives(predictions['remainingUsefulLife']),
    ])
    for (const { severity, component, message } of alerts) below.push(`  ${vehicleId}: ${severity} ${component}: ${message}`)
  }
  const table = formatTable(['VEHICLE', 'HEALTH', 'STATUS', 'RISK *', 'CONFIDENCE', 'REMAINING LIFE'], rows)
  const summary = `${table}\n\n${RISK_NOTE}`
  return below.length === 0 ? summary : `${summary}\n\nAlerts:\n${below.join('\n')}`
}

const SHOWN_LIVES = 3

function shortestLives(lives: unknown): string {
  const entries = Object.entries((lives ?? {}) as Record<string, number>).sort(([, a], [, b]) => a - b)
  return entries
    .slice(0, SHOWN_LIVES)
    .map(([component, days]) => `${component} ${Math.round(days)} d`)
    .join(', ')
}

function isObject(value: unknown): value is JsonBody {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
