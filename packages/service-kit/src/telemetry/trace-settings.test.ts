import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { formatEffective, loadSettings } from '../process/settings.ts'
import { findTraceProblems, traceOptionsOf, traceSettings } from './trace-settings.ts'

const schema = Type.Object(traceSettings)
const SERVICE = { name: 'roadworthy', version: '1.2.3', trustsCallers: false }

function optionsOf(env: Record<string, string>) {
  const loaded = loadSettings(schema, [], env)
  assert.ok(loaded.kind === 'settings', JSON.stringify(loaded))
  const headers = loaded.secrets['otelExporterOtlpHeaders']
  return { options: traceOptionsOf(loaded.settings, headers, SERVICE), problems: findTraceProblems(loaded.settings, headers), loaded }
}

test('without an endpoint there are no traces, whatever else is set; nor where they are disabled', () => {
  assert.equal(optionsOf({ OTEL_SERVICE_NAME: 'fleet', OTEL_TRACES_SAMPLER: 'always_on' }).options, undefined)
  assert.equal(optionsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'true' }).options, undefined)
})

test('the settings are read as the specification has them', () => {
  const { options } = optionsOf({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/otlp/',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db, x-scope=fleet,',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production,team=a%2Cb',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  })
  assert.deepEqual(options, {
    url: 'http://c:4318/otlp/v1/traces',
    headers: { authorization: 'Bearer a=b', 'x-scope': 'fleet' },
    serviceName: 'roadworthy',
    serviceVersion: '1.2.3',
    resourceAttributes: { 'deployment.environment.name': 'production', team: 'a,b' },
    sampler: 'parentbased_traceidratio',
    ratio: 0.25,
    trustsCallers: false,
  })
  const whole = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://d/spans' }
  assert.equal(optionsOf(whole).options?.url, 'https://d/spans')
})

test('a protocol that traces are not sent by is refused with what to set, where there is an endpoint', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4317' }
  const problemsOf = (env: Record<string, string>) => optionsOf(env).problems.map(({ name, fix }) => [name, fix] as const)
  for (const name of ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL']) {
    const [[named, fix] = []] = problemsOf({ ...endpoint, [name]: 'grpc' })
    assert.deepEqual([named, /not by gRPC.*http\/json.*4318/.test(fix ?? '')], [name, true])
    assert.match(problemsOf({ ...endpoint, [name]: 'http/xml' })[0]?.[1] ?? '', /http\/json or http\/protobuf/)
    assert.deepEqual(problemsOf({ [name]: 'grpc' }), [])
    assert.deepEqual(problemsOf({ ...endpoint, [name]: 'grpc', OTEL_SDK_DISABLED: 'true' }), [])
    assert.deepEqual(problemsOf({ ...endpoint, [name]: 'http/protobuf' }), [])
    assert.equal(optionsOf({ ...endpoint, [name]: 'http/protobuf' }).options?.isProtobufAsked, true)
  }
  const both = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' }
  assert.deepEqual(problemsOf({ ...endpoint, ...both }), [])
})

test('what cannot be read is reported, and no header is ever shown', () => {
  const secret = 'authorization hush'
  const { problems, loaded } = optionsOf({
    OTEL_EXPORTER_OTLP_HEADERS: secret,
    OTEL_RESOURCE_ATTRIBUTES: 'a=%ff',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://[',
  })
  assert.deepEqual(
    problems.map(({ name }) => name),
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_RESOURCE_ATTRIBUTES'],
  )
  assert.ok(!JSON.stringify(problems).includes('hush'))
  assert.ok(!formatEffective(schema, loaded.settings, loaded.secrets).includes('hush'))
  assert.equal(optionsOf({ OTEL_EXPORTER_OTLP_HEADERS: 'x=a%0d%0ay: b' }).problems.length, 1)
  assert.equal(optionsOf({ OTEL_RESOURCE_ATTRIBUTES: Array.from({ length: 65 }, (_, nth) => `a${nth}=1`).join(',') }).problems.length, 1)
  const refused = loadSettings(schema, [], { OTEL_TRACES_SAMPLER_ARG: '2', OTEL_TRACES_SAMPLER: 'jaeger_remote' })
  assert.ok(refused.kind === 'problems')
  assert.match(refused.problems.map(({ fix }) => fix).join(' '), /parentbased_traceidratio.*a number from 0 to 1/s)
})
