// One message to what is to be sent for it. The same decoding, limits and scoring as `POST /v1/predict`; the window takes the place of `history`.
import type { EngineOutput } from '@roadworthy/contracts/engine-v1/output'
import { isPoison, type Poison, readMessage, type StreamMessage } from '@roadworthy/kafka/read-message'
import { MAX_BODY_BYTES } from '@roadworthy/service-kit/http/http'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import { healthStatuses } from '@roadworthy/signals/health-bands'
import { type Decoded, decodeInput, isUndecodable } from '../schema/decode-input.ts'
import type { VehicleWindows } from './vehicle-windows.ts'

export type Outcome =
  | { readonly kind: 'answer'; readonly vehicleId: string; readonly isLate: boolean; readonly body: Buffer }
  /** Its answer is out, or before it in the same queue. */
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'poison'; readonly poison: Poison }

export type AnswerMessage = (message: StreamMessage) => Outcome

/** What is answered must be sent before the next start, or be given up with the process: a window does not forget what it has taken in. */
export function createAnswerMessage(deps: {
  readonly windows: VehicleWindows
  readonly predict: (decoded: Decoded) => EngineOutput
  readonly log: Logger
}): AnswerMessage {
  return (message) => {
    try {
      return answer(message)
    } catch (err) {
      // A mistake of ours: the message is kept for when it is mended, and must not keep those behind it from being answered.
      deps.log.error({ err }, 'a message could not be judged')
      return { kind: 'poison', poison: { code: 'server_error', reason: 'The engine failed on this message; its log has the reason.' } }
    }
  }

  function answer(message: StreamMessage): Outcome {
    const content = readMessage(message, MAX_BODY_BYTES)
    if (isPoison(content)) return { kind: 'poison', poison: content }
    const decoded = decodeInput(content.body, content.receivedAtMs)
    if (isUndecodable(decoded)) return { kind: 'poison', poison: { code: 'invalid_input', reason: decoded.message } }
    const { vehicleId, input } = decoded
    const { recordedAtMs, signals, lamps, dtcCodes } = input
    const before = deps.windows.add(vehicleId, { recordedAtMs, signals, lamps, dtcCodes }, content.receivedAtMs)
    if (before === 'duplicate') return { kind: 'duplicate' }
    // What a message reports of itself goes before what was remembered; the status last reported does not apply to a time before it.
    const previousStatus = input.previousStatus ?? (before.isNewest ? before.status : undefined)
    const output = deps.predict({ ...decoded, input: { ...input, history: input.history ?? before.history, previousStatus } })
    if (before.isNewest)
      deps.windows.noteStatus(
        vehicleId,
        healthStatuses.find((status) => status === output.predictions.healthStatus),
      )
    return { kind: 'answer', vehicleId, isLate: !before.isNewest, body: Buffer.from(JSON.stringify(output)) }
  }
}
