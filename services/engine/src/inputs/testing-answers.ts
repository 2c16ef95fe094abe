// What `POST /v1/predict` would say to a caller that keeps the window itself: the measure of the inputs that keep it for him.
import { decodeInput, isUndecodable } from '../schema/decode-input.ts'
import { score } from '../score.ts'

type Reading = { readonly vehicleId: string; readonly [field: string]: unknown }

/** By vehicle and time, for readings that come in the order of their vehicle's clock. */
export function predictDirectly(readings: readonly Reading[]): Map<string, unknown> {
  const histories = new Map<string, Reading[]>()
  const statuses = new Map<string, string>()
  const answers = new Map<string, unknown>()
  for (const reading of readings) {
    const { vehicleId } = reading
    const history = histories.get(vehicleId) ?? []
    const previousHealthStatus = statuses.get(vehicleId)
    const decoded = decodeInput({ ...reading, history: history.slice(-120), ...(previousHealthStatus && { previousHealthStatus }) }, 0)
    if (isUndecodable(decoded)) throw new Error(decoded.message)
    const answer = score(decoded, 0, () => 0)
    statuses.set(vehicleId, answer.predictions.healthStatus)
    answers.set(`${vehicleId} ${answer.timestamp}`, answer)
    histories.set(vehicleId, [...history, reading])
  }
  return answers
}
