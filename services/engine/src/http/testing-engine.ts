// An engine in process for tests: fixed clock, nothing listening. `inject` is HTTP without a socket.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { noLicenseNeeded } from '../license/license-gate.ts'
import { knowledgeModels, onlyKnowledge } from '../models/knowledge-models.ts'
import { createRegistry } from '../models/registry.ts'
import { linearBackend, writeLinear } from '../models/testing-models.ts'
import { buildEngineApp, type EngineAppDeps } from './build-engine-app.ts'
import { createEngineMetrics } from './engine-metrics.ts'

export const NOW_MS = Date.UTC(2026, 5, 1, 12)

export async function startEngine(t: CleanUp, overrides: Partial<EngineAppDeps> = {}) {
  const app = await buildEngineApp({
    logger: false,
    nowMs: () => NOW_MS,
    monotonicMs: () => 0,
    models: onlyKnowledge,
    license: noLicenseNeeded,
    metrics: createEngineMetrics('test', { hasDefaults: false }),
    isDraining: () => false,
    isOverloaded: () => false,
    ...overrides,
  })
  t.after(() => app.close())
  const post = async (url: string, payload: unknown) => {
    const text = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload)
    const response = await app.inject({ method: 'POST', url, payload: text, headers: { 'content-type': 'application/json' } })
    return { status: response.statusCode, headers: response.headers, body: response.json() }
  }
  const get = async (url: string) => {
    const response = await app.inject(url)
    return { status: response.statusCode, headers: response.headers, body: response.json() }
  }
  return { app, post, get }
}

/** One that serves the model `linear`, of the features `a` and `b`, from a folder of its own: twice their sum. */
export async function startWithLinear(t: CleanUp, overrides: Partial<EngineAppDeps> = {}) {
  const modelsDir = await mkdtemp(path.join(tmpdir(), 'inference-'))
  t.after(() => rm(modelsDir, { recursive: true }))
  await writeLinear(modelsDir, {})
  const models = createRegistry({
    modelsDir,
    isRequired: true,
    knowledge: knowledgeModels,
    loadBackend: linearBackend,
    log: createLogger('silent'),
  })
  await models.refresh()
  return { ...(await startEngine(t, { models, ...overrides })), models, modelsDir }
}

/** What is wrong with a value by the schema published at `url`; `null` when nothing is. */
export async function readSchema(
  get: (url: string) => Promise<{ body: unknown }>,
  url: string,
): Promise<(value: unknown) => string | null> {
  const { body } = await get(url)
  return compileSchema(body as object)
}

/** In Ajv's strict mode, which refuses schemas that do not mean what they seem to. */
export function compileSchema(schema: object): (value: unknown) => string | null {
  const ajv = new Ajv2020({ strict: true, allErrors: true })
  ;(addFormats as unknown as { default: (ajv: unknown) => void }).default(ajv)
  assert.equal((schema as { $schema: string }).$schema, 'https://json-schema.org/draft/2020-12/schema')
  const validate = ajv.compile(schema)
  return (value) => (validate(value) ? null : ajv.errorsText(validate.errors))
}
