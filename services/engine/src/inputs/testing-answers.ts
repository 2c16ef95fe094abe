// Telemetry of a small fleet, and what `POST /v1/predict` would return to a caller that keeps the window itself: the measure of the inputs that keep it for him.
import assert from 'node:assert/strict'
import type { EngineOutput } from '@roadworthy/contracts/engine-v1/output'
import { MAX_HISTORY } from '@roadworthy/prognostics/inputs/observation'

export const FIRST_READING_MS = Date.UTC(2026, 5, 1, 8)

export type Reading = { readonly vehicleId: string; readonly [field: string]: unknown }

/** One reading of each vehicle a second, vehicles in turn, every one with values of its own. */
export function fleetReadings(vehicleCount: number, readingCount: number): Reading[] {
  return Array.from({ length: vehicleCount * readingCount }, (_, index) => {
    const vehicle = index % vehicleCount
    const turn = Math.floor(index / vehicleCount)
    const timestamp = new Date(FIRST_READING_MS + turn * 1000).toISOString()
    // The vehicle 7 overheats, so that the history matters: an alert takes readings that hold.
    const coolant = vehicle === 7 ? 112 + turn : 85 + (vehicle % 5)
    return {
      vehicleId: `V-${vehicle}`,
      timestamp,
      engine_speed: 1500 + vehicle,
      vehicleSpeed: 60,
      coolant_temp: coolant,
      battery_voltage: 13.9,
    }
  })
}

/** By vehicle and time, for readings that come in the order of their vehicle's clock. Asked of the engine itself, over REST. */
export async function predictOverRest(url: string, readings: readonly Reading[]): Promise<Map<string, unknown>> {
  const histories = new Map<string, Reading[]>()
  const statuses = new Map<string, string>()
  const answers = new Map<string, unknown>()
  for (const reading of readings) {
    const { vehicleId } = reading
    const history = histories.get(vehicleId) ?? []
    const previousHealthStatus = statuses.get(vehicleId)
    const body = { ...reading, history: history.slice(-MAX_HISTORY), ...(previousHealthStatus && { previousHealthStatus }) }
    const response = await fetch(`${url}/v1/predict`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.equal(response.status, 200)
    const answer = withoutDuration(await response.text())
    statuses.set(vehicleId, answer.predictions.healthStatus)
    answers.set(`${vehicleId} ${answer.timestamp}`, answer)
    histories.set(vehicleId, [...history, reading])
  }
  return answers
}

/** The one thing in an answer that differs from one time to the next. */
export function withoutDuration(text: string): EngineOutput {
  return { ...(JSON.parse(text) as EngineOutput), processingTimeMs: 0 }
}
