// Wires traces: what is sent where by which process, and what of it is counted.

import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import { type TraceOptions, traceOptionsOf } from '@roadworthy/service-kit/telemetry/trace-settings'
import { startTracing } from '@roadworthy/service-kit/telemetry/tracing'
import { SERVICE_VERSION } from '../../surfaces/service-version.ts'
import type { Part } from '../part.ts'
import type { PlatformConfiguration } from '../settings/settings.ts'
import type { Metrics } from './metrics.ts'

const SERVICE = { name: 'roadworthy', version: SERVICE_VERSION, trustsCallers: false }

/** Undefined: there are none, and nothing of OpenTelemetry is loaded. */
export function tracingOf({ settings, secrets }: PlatformConfiguration): TraceOptions | undefined {
  return traceOptionsOf(settings, secrets.otelExporterOtlpHeaders, SERVICE)
}

/** The variables of the engine that this process starts: the secret ones of this process do not pass on by themselves. */
export function engineTraceVariables({ settings, secrets }: PlatformConfiguration): Readonly<Record<string, string>> {
  const { otelExporterOtlpEndpoint, otelExporterOtlpTracesEndpoint, otelServiceName = SERVICE.name, otelResourceAttributes } = settings
  return Object.fromEntries(
    Object.entries({
      OTEL_EXPORTER_OTLP_ENDPOINT: otelExporterOtlpEndpoint,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: otelExporterOtlpTracesEndpoint,
      OTEL_EXPORTER_OTLP_HEADERS: secrets.otelExporterOtlpHeaders,
      OTEL_RESOURCE_ATTRIBUTES: otelResourceAttributes,
      OTEL_SERVICE_NAME: `${otelServiceName}-engine`,
      OTEL_TRACES_SAMPLER: settings.otelTracesSampler,
      OTEL_TRACES_SAMPLER_ARG: String(settings.otelTracesSamplerArg),
      OTEL_SDK_DISABLED: String(settings.otelSdkDisabled),
    }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** Answers how what is left is sent at the end. */
export async function startPlatformTracing(options: TraceOptions, metrics: Metrics, log: Logger): Promise<Part> {
  const tracer = await startTracing(options, log)
  metrics.counter('fleet_trace_spans_exported_total', 'Spans that the collector of traces has taken.', () => tracer.counts.exported)
  metrics.counter(
    'fleet_trace_spans_dropped_total',
    'Spans that were not sent: the collector was away or refused them, or too many waited.',
    () => tracer.counts.dropped,
  )
  return { name: 'traces', stop: () => tracer.stop() }
}
