// The settings of OpenTelemetry that every service has, under the names of its specification.

import { type Static, Type } from 'typebox'
import type { SettingProblem } from '../process/settings.ts'

const TRACE_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

type TraceSampler = (typeof TRACE_SAMPLERS)[number]

const PROTOCOLS: readonly string[] = ['http/json', 'http/protobuf']
const MAX_ATTRIBUTES_CHARACTERS = 4_096
const MAX_ATTRIBUTES = 64

/** Part of the settings of a service. */
export const traceSettings = {
  otelExporterOtlpEndpoint: Type.Optional(
    Type.String({
      pattern: '^https?://[^/\\s]+',
      maxLength: 2_000,
      description: 'Where traces are sent: an OpenTelemetry collector that takes OTLP over HTTP, as JSON; /v1/traces is added.',
      defaultText: 'nowhere; nothing of OpenTelemetry is loaded',
      example: 'http://collector:4318',
    }),
  ),
  otelExporterOtlpTracesEndpoint: Type.Optional(
    Type.String({
      pattern: '^https?://[^/\\s]+',
      maxLength: 2_000,
      description: 'The same as a whole address, to which nothing is added. Goes before OTEL_EXPORTER_OTLP_ENDPOINT.',
      defaultText: 'OTEL_EXPORTER_OTLP_ENDPOINT with /v1/traces',
      example: 'https://collector.example.com/v1/traces',
    }),
  ),
  otelExporterOtlpProtocol: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'How traces are sent: over HTTP, as JSON, also where http/protobuf is asked for. grpc is refused where an endpoint is set.',
      defaultText: 'http/json',
      example: 'http/json',
    }),
  ),
  otelExporterOtlpTracesProtocol: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The same. Goes before OTEL_EXPORTER_OTLP_PROTOCOL.',
      defaultText: 'OTEL_EXPORTER_OTLP_PROTOCOL',
      example: 'http/json',
    }),
  ),
  otelExporterOtlpHeaders: Type.Optional(
    Type.String({
      secret: true,
      maxLength: 8_000,
      description:
        'Headers sent with the traces, as name=value, separated by commas; what is no plain character of them is percent-encoded.',
      defaultText: 'none',
      example: 'authorization=Bearer%20secret',
    }),
  ),
  otelServiceName: Type.Optional(
    Type.String({
      pattern: '^[^\\s].{0,99}$',
      description: 'Name of this service in traces. The engine that the platform starts has it with -engine.',
      defaultText: 'roadworthy, and roadworthy-engine',
      example: 'fleet',
    }),
  ),
  otelResourceAttributes: Type.Optional(
    Type.String({
      maxLength: MAX_ATTRIBUTES_CHARACTERS,
      description: 'What else is said of this process in traces, as name=value, separated by commas.',
      defaultText: 'none',
      example: 'deployment.environment.name=production',
    }),
  ),
  otelTracesSampler: Type.Enum([...TRACE_SAMPLERS], {
    default: 'parentbased_traceidratio',
    description:
      'Which traces are kept. parentbased_: that of a caller who sends traceparent is kept or not as the caller wishes, within a limit; else as the rest of the name says.',
  }),
  otelTracesSamplerArg: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: 'Share of the traces that traceidratio keeps. With 1 they are all kept, but no more than 100 are begun in a second.',
  }),
  otelSdkDisabled: Type.Boolean({ default: false, description: 'No traces, whatever else is set.' }),
}

const TraceSettingsSchema = Type.Object(traceSettings)
export type TraceSettings = Omit<Static<typeof TraceSettingsSchema>, 'otelExporterOtlpHeaders'>

/** What tracing needs to know. Crosses to other processes of ours as JSON. */
export type TraceOptions = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly serviceVersion: string
  readonly resourceAttributes: Readonly<Record<string, string>>
  readonly sampler: TraceSampler
  readonly ratio: number
  /** Whether who calls is part of the installation, so that its wish to keep a trace needs no limit. */
  readonly trustsCallers: boolean
  /** Whether the protocol that was asked for is http/protobuf; JSON is sent. */
  readonly isProtobufAsked?: boolean
}

type TraceService = { readonly name: string; readonly version: string; readonly trustsCallers: boolean }

/** Undefined: there are no traces. */
export function traceOptionsOf(settings: TraceSettings, headers: string | undefined, service: TraceService): TraceOptions | undefined {
  const { otelExporterOtlpEndpoint: base, otelExporterOtlpTracesEndpoint: whole } = settings
  const url = whole ?? (base === undefined ? undefined : `${base.replace(/\/+$/, '')}/v1/traces`)
  if (url === undefined || settings.otelSdkDisabled) return undefined
  return {
    url,
    headers: readPairs(headers ?? '') ?? {},
    serviceName: settings.otelServiceName ?? service.name,
    serviceVersion: service.version,
    resourceAttributes: readPairs(settings.otelResourceAttributes ?? '') ?? {},
    sampler: settings.otelTracesSampler,
    ratio: settings.otelTracesSamplerArg,
    trustsCallers: service.trustsCallers,
    ...((settings.otelExporterOtlpTracesProtocol ?? settings.otelExporterOtlpProtocol) === 'http/protobuf'
      ? { isProtobufAsked: true }
      : {}),
  }
}

/** What cannot be read is reported at the start, and not left out in silence. */
export function findTraceProblems(settings: TraceSettings, headers: string | undefined): SettingProblem[] {
  const fix = `it must be name=value, separated by commas, at most ${MAX_ATTRIBUTES} of them, percent-encoded.`
  const problems: SettingProblem[] = []
  for (const [name, url] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', settings.otelExporterOtlpEndpoint],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', settings.otelExporterOtlpTracesEndpoint],
  ] as const) {
    if (url !== undefined && !URL.canParse(url))
      problems.push({ name, value: url, source: 'settings', fix: 'it is no address. For example http://collector:4318.' })
  }
  problems.push(...findProtocolProblems(settings))
  if (readPairs(headers ?? '', HEADER_NAME) === undefined)
    problems.push({ name: 'OTEL_EXPORTER_OTLP_HEADERS', value: '(hidden)', source: 'settings', fix })
  if (readPairs(settings.otelResourceAttributes ?? '') === undefined)
    problems.push({ name: 'OTEL_RESOURCE_ATTRIBUTES', value: settings.otelResourceAttributes, source: 'settings', fix })
  return problems
}

/** Variables of OpenTelemetry may be set for every program of a machine, so without an endpoint the protocol matters to nobody. */
function findProtocolProblems(settings: TraceSettings): SettingProblem[] {
  const { otelExporterOtlpProtocol: general, otelExporterOtlpTracesProtocol: ofTraces } = settings
  const isSent = (settings.otelExporterOtlpEndpoint ?? settings.otelExporterOtlpTracesEndpoint) !== undefined && !settings.otelSdkDisabled
  const value = ofTraces ?? general
  if (!isSent || value === undefined || PROTOCOLS.includes(value)) return []
  const name = ofTraces === undefined ? 'OTEL_EXPORTER_OTLP_PROTOCOL' : 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'
  const fix =
    value === 'grpc'
      ? "traces are sent over HTTP and not by gRPC. Set it to http/json, and the endpoint to the collector's port for HTTP, 4318 unless it was changed."
      : `it must be ${PROTOCOLS.join(' or ')}; both are sent as JSON.`
  return [{ name, value, source: 'settings', fix }]
}

const NAME = /^[^\s=,]+$/
/** RFC 9110 §5.6.2. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
const CONTROL_CHARACTER = /\p{Cc}/u

/** Of the form that W3C Baggage has: `a=1,b=two%20words`. Undefined where it is not. */
function readPairs(text: string, isName = NAME): Record<string, string> | undefined {
  const pairs = text.split(',').map((pair) => pair.trim())
  const filled = pairs.filter((pair) => pair !== '')
  if (filled.length > MAX_ATTRIBUTES) return undefined
  const read: [string, string][] = []
  for (const pair of filled) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, Math.max(at, 0)).trim()
    const value = decode(pair.slice(at + 1).trim())
    if (at === -1 || !isName.test(name) || value === undefined || CONTROL_CHARACTER.test(value)) return undefined
    read.push([name, value])
  }
  return Object.fromEntries(read)
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
