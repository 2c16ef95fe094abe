import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isLoopback } from '@roadworthy/service-kit/network/loopback'
import { type Command, Option } from 'commander'
import { type Context, examples, handle, integerFrom, numberFrom, type Surroundings, urlOf } from '../command.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { readKeyLimits, refuseBeyond } from '../load/key-limits.ts'
import { decommissionDevices, deviceOf, type LoadDevice, mqttSenders, registerDevices, restSender } from '../load/load-devices.ts'
import { type Loaded, type LoadSender, type Measured, runLoad } from '../load/run-load.ts'
import { formatTable } from '../output.ts'
import { stopOnSignals } from '../stop-signals.ts'

type Over = 'rest' | 'mqtt' | 'both'
type Options = { devices: number; rate: number; seconds: number; over: Over; device?: string; mqttUrl?: string; confirmHost?: string }

const MAX_DEVICES = 500
const MAX_PER_SECOND = 1_000
const MAX_SECONDS = 600
const MAX_FILE_BYTES = 64 * 1024

export function addLoad(program: Command, surroundings: Surroundings): void {
  program
    .command('load')
    .description(
      'send readings at an even rate to an instance of your own, and measure its answers; its devices are decommissioned at the end',
    )
    .option('--devices <n>', 'how many, registered for it', integerFrom(1, MAX_DEVICES), 10)
    .option('--rate <n>', 'readings a second, of all together', numberFrom(0.1, MAX_PER_SECOND), 10)
    .option('--seconds <n>', 'for how long', integerFrom(1, MAX_SECONDS), 10)
    .addOption(new Option('--over <way>', 'the receivers').choices(['rest', 'mqtt', 'both']).default('both'))
    .option('--device <file>', 'the answer to a registration: send as this device, and register none')
    .option('--mqtt-url <url>', "broker (default: the instance's own)", urlOf('mqtt:', 'mqtts:'))
    .option('--confirm-host <host>', 'the host of the instance once more, where it is not this machine')
    .addHelpText(
      'after',
      examples('npx roadworthy load --devices 5 --rate 20 --seconds 2', 'npx roadworthy load --over mqtt --devices 2 --seconds 1 --json'),
    )
    .action(handle<Options>(surroundings, load))
}

async function load(context: Context, options: Options): Promise<void> {
  const { instance } = context
  const at = { baseUrl: instance.baseUrl(), apiKey: instance.apiKey() }
  const mqttUrl = options.over === 'rest' ? undefined : requireBroker(instance.mqttUrl(options.mqttUrl))
  for (const url of [at.baseUrl, mqttUrl]) if (url !== undefined) requireOwn(url, options.confirmHost)
  const given = options.device === undefined ? undefined : readDevice(resolve(context.cwd, options.device))
  const restShare = { rest: 1, mqtt: 0, both: 0.5 }[options.over]
  const registrations = given === undefined ? options.devices : 0
  refuseBeyond(await readKeyLimits(at.baseUrl, at.apiKey), { registrations, perSecond: options.rate * restShare, seconds: options.seconds })
  const signal = stopOnSignals()
  const made: LoadDevice[] = []
  try {
    if (given === undefined) await registerDevices(at, options.devices, made, signal)
    const devices = given === undefined ? made : [given]
    const loaded = await sendAll(context, options, { at, mqttUrl, devices, signal })
    report(context, options, loaded, signal.aborted)
  } finally {
    const left = await decommissionDevices(at, made)
    if (left > 0) context.out.note(`${left} of ${made.length} devices named "load …" could not be decommissioned.`)
  }
  signal.throwIfAborted()
}

type Sending = {
  readonly at: { readonly baseUrl: string; readonly apiKey: string }
  readonly mqttUrl: string | undefined
  readonly devices: readonly LoadDevice[]
  readonly signal: AbortSignal
}

async function sendAll({ out }: Context, { over, rate, seconds }: Options, { at, mqttUrl, devices, signal }: Sending): Promise<Loaded> {
  const rest = over === 'mqtt' ? [] : devices.map((device) => restSender(at, device))
  const overMqtt = mqttUrl === undefined ? undefined : await mqttSenders(mqttUrl, devices)
  const senders = devices.flatMap((_, nth) => [rest[nth], overMqtt?.senders[nth]].filter((each): each is LoadSender => each !== undefined))
  const progress = out.progress('load')
  try {
    return await runLoad({ senders, perSecond: rate, seconds, signal, onProgress: (share, text) => progress.update(share, text) })
  } finally {
    progress.end()
    await overMqtt?.end()
  }
}

function report({ out }: Context, options: Options, loaded: Loaded, isStopped: boolean): void {
  const { rest, mqtt, planned, notSent, seconds } = loaded
  const failed = rest.failed + mqtt.failed + notSent
  const sent = rest.sent + mqtt.sent
  const of = ({ latency, ...each }: Measured) => ({ ...each, latency_ms: latency })
  const answer = {
    ...{ complete: !isStopped, planned, sent, not_sent: notSent, failed, duration_s: Math.round(seconds * 10) / 10 },
    ...{ rest: of(rest), mqtt: of(mqtt) },
  }
  const rows = Object.entries({ rest, mqtt })
    .filter(([, each]) => each.sent > 0)
    .map(([name, each]) => toRow(name, each))
  out.answer(answer, () =>
    [
      formatTable(['over', 'sent', 'failed', 'p50 ms', 'p90 ms', 'p99 ms', 'max ms', 'answers'], rows),
      `${sent} of ${planned} readings in ${seconds.toFixed(1)} s${notSent > 0 ? `; ${notSent} were not sent, because too many waited for an answer` : ''}`,
    ].join('\n'),
  )
  if (failed > 0 && !isStopped)
    throw new CommandFailure(`${failed} of ${planned} readings were not taken at a rate of ${options.rate} a second.`)
}

function toRow(name: string, { sent, failed, latency, statuses }: Measured): string[] {
  const times = latency === null ? ['', '', '', ''] : [latency.p50, latency.p90, latency.p99, latency.max].map(String)
  const answers = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`)
  return [name, String(sent), String(failed), ...times, answers.join(', ')]
}

function requireBroker(url: string | undefined): string {
  if (url !== undefined) return url
  throw new CommandFailure('The broker is not known: give --mqtt-url, or --over rest.', exitCodes.usage)
}

/** A load on a machine of somebody else is an attack. */
function requireOwn(url: string, confirmed: string | undefined): void {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' || isLoopback(host) || host === confirmed) return
  const found = confirmed === undefined ? '' : ` --confirm-host is ${confirmed}.`
  throw new CommandFailure(
    `${host} is another machine.${found} A load is for an instance of your own: give its host once more, with --confirm-host ${host}.`,
    exitCodes.usage,
  )
}

function readDevice(file: string): LoadDevice {
  try {
    if (statSync(file).size > MAX_FILE_BYTES) throw new CommandFailure(`${file} has more than ${MAX_FILE_BYTES} bytes.`, exitCodes.usage)
    return deviceOf(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    const reason = (error as NodeJS.ErrnoException).code ?? 'it is no JSON'
    throw new CommandFailure(
      `${file} cannot be used (${reason}): the answer to a registration of a device is wanted.`,
      exitCodes.usage,
      error,
    )
  }
}
