// For tests only: an engine at the edge, speaking HTTP in the shape of spec §2.7, that fails on demand. Its answer for a vehicle follows
// from the coolant temperature alone; the answers of the real engine have their own tests.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type FakeInput = { vehicleId: string; coolant?: number; history?: Record<string, unknown>[] } & Record<string, unknown>

export type FakeEngine = {
  readonly url: string
  /** Every input of every prediction asked for, in order. */
  readonly seen: FakeInput[]
  /** What to do instead of answering; `undefined` answers. */
  fault: ((inputs: readonly FakeInput[]) => Fault | undefined) | undefined
  /** Called before each answer; the answer waits for it. */
  beforeAnswer: (() => Promise<void>) | undefined
  /** Changes the answer for a vehicle. */
  reshape: ((prediction: FakePrediction, input: FakeInput) => object) | undefined
  /** What it reports of its models. */
  models: object
  requestCount: number
  stop(): Promise<void>
}

type FakeRefusal = { vehicleId: string; error: { code: string; message: string } }
export type FakePrediction = { vehicleId: string; alerts: object[]; predictions: { [field: string]: unknown } } & Record<string, unknown>

export type Fault = { status: number; body?: string } | 'hang up' | 'never answer'

const FAKE_WARNING_FROM_C = 105
const FAKE_CRITICAL_FROM_C = 115

export async function startFakeEngine(port = 0): Promise<FakeEngine> {
  const server = createServer((request, response) => void answer(engine, request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const engine: FakeEngine = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    fault: undefined,
    beforeAnswer: undefined,
    reshape: undefined,
    models: { models: [] },
    requestCount: 0,
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return engine
}

async function answer(engine: FakeEngine, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/v1/health')
    return send(response, 200, { status: 'healthy', version: '2.0.0', models_loaded: true, uptime_seconds: 1 })
  engine.requestCount++
  const isAskedForModels = request.url === '/v1/models'
  const body = (isAskedForModels ? {} : await readJson(request)) as { vehicles?: FakeInput[] } & FakeInput
  const inputs = body.vehicles ?? [body]
  if (!isAskedForModels) engine.seen.push(...inputs)
  await engine.beforeAnswer?.()
  const fault = engine.fault?.(inputs)
  if (fault === 'never answer') return
  if (fault === 'hang up') {
    response.socket?.destroy()
    return
  }
  if (fault !== undefined) {
    response
      .writeHead(fault.status, { 'content-type': 'application/json' })
      .end(fault.body ?? '{"error":{"code":"fault","message":"as set"}}')
    return
  }
  if (isAskedForModels) return send(response, 200, engine.models)
  const predictions = inputs.map((input) => {
    const answer = fakePrediction(input)
    return 'predictions' in answer ? (engine.reshape?.(answer, input) ?? answer) : answer
  })
  send(response, 200, body.vehicles === undefined ? predictions[0] : { count: inputs.length, processingTimeMs: 1, predictions })
}

/** A refusal for ids that start with `refuse`, else a prediction. */
export function fakePrediction(input: FakeInput): FakeRefusal | FakePrediction {
  const { vehicleId, coolant = 90 } = input
  if (vehicleId.startsWith('refuse')) return { vehicleId, error: { code: 'invalid_input', message: 'as set' } }
  const severity = coolant >= FAKE_CRITICAL_FROM_C ? 'critical' : 'high'
  const isHot = coolant >= FAKE_WARNING_FROM_C
  const healthScore = Math.max(0, Math.min(100, 100 - 3 * Math.max(0, coolant - 90)))
  const alert = {
    type: 'coolant_high',
    component: 'cooling',
    severity,
    description: 'Coolant overheating',
    message: `Coolant ${coolant} °C is above ${FAKE_WARNING_FROM_C} °C`,
    urgency: 'urgent',
    evidence: { signal: 'coolant', value: coolant, threshold: FAKE_WARNING_FROM_C },
  }
  return {
    vehicleId,
    timestamp: input['timestamp'] ?? '2026-01-01T00:00:00.000Z',
    processingTimeMs: 1,
    predictions: {
      healthScore,
      maintenanceNeeded: isHot,
      maintenanceProbability: isHot ? 0.7 : 0.05,
      remainingUsefulLife: { cooling: isHot ? 5.6 : 400.4, brakes: 120.2 },
      remainingUsefulLifeInterval: { cooling: isHot ? [1, 12] : [200, 800], brakes: [60, 240] },
      anomalyScore: isHot ? 0.999 : 0.1,
      anomalyDetected: isHot,
      components: { cooling: healthScore, brakes: 90 },
      confidence: 0.8,
    },
    alerts: isHot ? [alert] : [],
    insights: [isHot ? alert.message : 'Every reading given is within its normal band'],
    recommendations: isHot ? ['Check the coolant'] : [],
    missingFields: [],
    modelVersion: 'fake-1',
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
