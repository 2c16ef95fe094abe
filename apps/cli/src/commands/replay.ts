import { access, constants } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseRfc3339 } from '@roadworthy/service-kit/time/rfc3339'
import { type Injection, injectionNames, injections } from '@roadworthy/simulator/recordings/injections'
import {
  type MeasuredRecording,
  measureRecording,
  openRecording,
  type RecordingFormat,
  recordingFormats,
} from '@roadworthy/simulator/recordings/open-recording'
import type { Recording } from '@roadworthy/simulator/recordings/recording'
import { at, between, transformed, until } from '@roadworthy/simulator/recordings/transforms'
import { type ReplayResult, replay } from '@roadworthy/simulator/replay'
import { createApi } from '@roadworthy/simulator/senders/api'
import { createRestSender } from '@roadworthy/simulator/senders/rest'
import type { Sender } from '@roadworthy/simulator/senders/sender'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Context, examples, handle, numberFrom, RequiredOption, type Surroundings, urlOf } from '../command.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import {
  countStored,
  findDevice,
  noSuchDevice,
  type Receiver,
  type ReplayDevice,
  registerDevice,
  rotatePassword,
} from '../replay-device.ts'
import { Stopped, stopOnSignals } from '../stop-signals.ts'

type ReplayOptions = {
  format: RecordingFormat
  device: string
  via: 'rest' | 'mqtt'
  speed: number | 'max'
  start?: number
  from: number
  to?: number
  position?: { latitude: number; longitude: number }
  inject?: Injection
  injectAt: number
  password?: string
  mqttUrl?: string
  register?: boolean
}

const MAX_SPEED = 100_000
const DAY_S = 86_400
/** A request is tried this often, up to 15 s apart: an outage of some four minutes is waited for. */
const MAX_TRIES = 20
const MQTT_CONNECT_MS = 15_000
/** The broker's word about a refused reading is QoS 0 and may come after the acknowledgement. */
const LATE_REFUSALS_MS = 250

export function addReplay(program: Command, surroundings: Surroundings): void {
  program
    .command('replay <file>')
    .description('send a recording as the device would have sent it, plain or gzip')
    .addOption(new RequiredOption('--format <format>', 'what the file is').choices([...recordingFormats]))
    .addOption(new RequiredOption('--device <id>', 'registered id or IMEI to send as'))
    .addOption(new Option('--via <receiver>', 'receiver to go through').choices(['rest', 'mqtt']).default('rest'))
    .option('--speed <n>', 'times as fast as life, or max', speedOf, 'max')
    .option('--start <time>', 'when the first reading was taken, RFC 3339 (default: so that the last is taken when it is sent)', timeOf)
    .option('--from <s>', 'leave out what is earlier in the recording', numberFrom(0, DAY_S), 0)
    .option('--to <s>', 'leave out what is from this second on', numberFrom(0, DAY_S))
    .option('--position <lat,lon>', 'stand here all the time; many recordings know no position', positionOf)
    .addOption(new Option('--inject <fault>', 'put a fault into the recording').choices(injectionNames))
    .option('--inject-at <s>', 'second of the recording at which the fault begins', numberFrom(0, DAY_S), 120)
    .option('--register', 'register the device, with a vehicle, when it does not exist')
    .option('--password <password>', 'MQTT password (default: a new one is made by API key; the device that had the old one must get it)')
    .option('--mqtt-url <url>', "broker (default: the instance's own)", urlOf('mqtt:', 'mqtts:'))
    .addHelpText(
      'after',
      examples(
        'npx roadworthy replay trip.csv.gz --format carobd --device 356938035643809 --register',
        'npx roadworthy replay trip.csv.gz --format carobd --device 356938035643809 --via mqtt --speed 60 --json',
        'npx roadworthy replay trip.csv.gz --format carobd --device 356938035643809 --inject coolant-ramp --inject-at 120',
      ),
    )
    .action(handle<ReplayOptions>(surroundings, replayFile))
}

async function replayFile(context: Context, options: ReplayOptions, file = ''): Promise<void> {
  const { instance, out } = context
  const measured = await measure(file, options)
  const receiver = { baseUrl: instance.baseUrl(), apiKey: instance.apiKey(), via: options.via, password: options.password }
  const signal = stopOnSignals()
  const device = await prepareDevice(context, receiver, options, file)
  const sender = await openSender(context, receiver, device, options, signal)
  try {
    const outcome = await send(context, { file, options, measured, receiver, device, sender, signal })
    const result = summarise(file, options, device, sender, outcome)
    out.answer(result, () => describe(result))
    if (outcome.stopped !== undefined) throw outcome.stopped
    if (result.rejected === 0) return
    throw new CommandFailure(`${result.rejected} of ${result.sent} readings were rejected. The last reason: ${result.last_refusal}`)
  } finally {
    await sender.close()
  }
}

type Sending = {
  readonly file: string
  readonly options: ReplayOptions
  readonly measured: MeasuredRecording
  readonly receiver: Receiver
  readonly device: ReplayDevice
  readonly sender: Sender
  readonly signal: AbortSignal
}
type Outcome = {
  /** Undefined when it was stopped on the way. */
  readonly sent: ReplayResult | undefined
  readonly stopped: Stopped | undefined
  /** By the store's own count; undefined where nobody asked it. */
  readonly newlyStored: number | undefined
  readonly durationS: number
}

async function send(context: Context, { file, options, measured, receiver, device, sender, signal }: Sending): Promise<Outcome> {
  const beganMs = context.now().getTime()
  const tripMs = measured.durationS * 1000
  const sendingMs = options.speed === 'max' ? 0 : tripMs / options.speed
  const startAtMs = options.start ?? Math.floor(beganMs + sendingMs - tripMs)
  const count = () => countStored(receiver, device, startAtMs, startAtMs + tripMs)
  // Over MQTT only the store distinguishes a repeated reading from a new one.
  const before = options.via === 'mqtt' ? await count() : undefined
  const bar = context.out.progress(basename(file))
  let stopped: Stopped | undefined
  const sent = await replay({
    records: measured.recording,
    sender,
    deviceId: device.deviceId,
    startAtMs,
    speed: options.speed,
    signal,
    onProgress: ({ records, vehicleTimeS }) =>
      bar.update(records / measured.records, `${records} of ${measured.records}, ${clock(vehicleTimeS)}`),
  })
    .catch((error: unknown) => {
      // A wait that was cut short reports the abort, not its reason.
      if (!(signal.reason instanceof Stopped)) throw error
      stopped = signal.reason
      return undefined
    })
    .finally(() => bar.end())
  if (options.via === 'mqtt') await sleep(LATE_REFUSALS_MS)
  const after = before === undefined ? undefined : await count()
  const newlyStored = before === undefined || after === undefined ? undefined : after - before
  return { sent, stopped, newlyStored, durationS: (context.now().getTime() - beganMs) / 1000 }
}

async function measure(file: string, options: ReplayOptions): Promise<MeasuredRecording> {
  try {
    await access(file, constants.R_OK)
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`, exitCodes.usage, error)
  }
  const measured = await measureRecording(() => openPart(file, options))
  if (measured.records === 0) throw new CommandFailure(`${file} holds no reading, as ${options.format} and between --from and --to.`)
  return measured
}

/** The fault first: it begins at a second of the whole recording. */
function openPart(file: string, { format, inject, injectAt, from, to, position }: ReplayOptions): Recording {
  const whole = openRecording(file, format)
  return transformed(
    to === undefined ? whole : until(whole, to),
    ...(inject === undefined ? [] : [injections[inject](injectAt)]),
    ...(from === 0 && to === undefined ? [] : [between({ fromS: from, toS: to ?? Number.POSITIVE_INFINITY })]),
    ...(position === undefined ? [] : [at(position)]),
  )
}

async function prepareDevice({ out }: Context, receiver: Receiver, options: ReplayOptions, file: string): Promise<ReplayDevice> {
  const known = await findDevice(receiver, options.device)
  if (known === undefined && options.register !== true) throw noSuchDevice(options.device)
  const device = known ?? (await registerDevice(receiver, options.device, basename(file).slice(0, 64)))
  if (known === undefined) out.note(`registered ${options.device} as ${device.deviceId}`)
  if (receiver.via === 'rest' || device.login !== undefined) return device
  out.note(`${device.deviceId} gets a new MQTT password; whoever used the old one is signed out (--password keeps it)`)
  return rotatePassword(receiver, device)
}

async function openSender(
  { instance }: Context,
  receiver: Receiver,
  { login, deviceId }: ReplayDevice,
  options: ReplayOptions,
  signal: AbortSignal,
): Promise<Sender> {
  if (options.via === 'rest') return createRestSender(createApi({ ...receiver, maxTries: MAX_TRIES }))
  const url = instance.mqttUrl(options.mqttUrl) ?? (login?.broker === undefined ? undefined : `mqtt://${login.broker}`)
  if (login === undefined || url === undefined) throw new CommandFailure(`The broker of ${deviceId} is not known. Give --mqtt-url.`)
  // The client of MQTT takes as long to load as the rest of the command: who sends over REST does without.
  const { createMqttSender } = await import('@roadworthy/simulator/senders/mqtt')
  const timeout = AbortSignal.timeout(MQTT_CONNECT_MS)
  try {
    return await createMqttSender(url, login.device, AbortSignal.any([signal, timeout]))
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error
    throw new CommandFailure(
      `No MQTT broker answers at ${url} in ${MQTT_CONNECT_MS / 1000} s. Is Roadworthy running there?`,
      undefined,
      error,
    )
  }
}

function summarise(file: string, options: ReplayOptions, device: ReplayDevice, sender: Sender, { sent, newlyStored, durationS }: Outcome) {
  const counts = sender.counts()
  // Without a count it is not known which of what the broker acknowledged was new.
  const isUnknown = options.via === 'mqtt' && newlyStored === undefined && counts.accepted > 0
  const stored = isUnknown ? null : Math.min(newlyStored ?? counts.accepted, counts.accepted)
  return {
    file,
    format: options.format,
    device_id: device.deviceId,
    vehicle_id: device.vehicleId ?? null,
    via: options.via,
    speed: options.speed,
    complete: sent !== undefined,
    sent: counts.sent,
    stored,
    duplicates: stored === null ? null : counts.accepted - stored + counts.duplicates,
    rejected: counts.rejected,
    last_refusal: sender.lastRefusal() ?? null,
    first_at: sent?.firstAt ?? null,
    last_at: sent?.lastAt ?? null,
    vehicle_time_s: sent?.vehicleTimeS ?? null,
    duration_s: durationS,
  }
}

function describe({ sent, stored, duplicates, rejected, first_at, last_at, device_id, duration_s }: ReturnType<typeof summarise>): string {
  const taken = stored === null ? `${sent - rejected} stored or known already` : `${stored} stored, ${duplicates} known already`
  const summary = `${sent} readings sent in ${duration_s.toFixed(1)} s: ${taken}, ${rejected} rejected`
  return first_at === null ? summary : `${summary}\nrecorded ${first_at} to ${last_at} by ${device_id}`
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')} of the trip`
}

function speedOf(text: string): number | 'max' {
  return text === 'max' ? 'max' : numberFrom(0.001, MAX_SPEED)(text)
}

function timeOf(text: string): number {
  const ms = parseRfc3339(text)
  if (ms === undefined) throw new InvalidArgumentError('A time with an offset is wanted, such as 2026-01-31T08:00:00Z.')
  return ms
}

function positionOf(text: string): { latitude: number; longitude: number } {
  const [latitude = Number.NaN, longitude = Number.NaN, ...rest] = text
    .split(',')
    .map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && rest.length === 0) return { latitude, longitude }
  throw new InvalidArgumentError('Degrees of latitude and longitude are wanted, such as 12.97,77.59.')
}
