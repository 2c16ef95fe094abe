// What is published to a device about records it sent that cannot be taken, and about fields that are not understood: one message on its `…/errors`
// topic, in the form of the contract.

import type { MqttErrorReport } from '@roadworthy/contracts/mqtt/error-report'
import type { WarnedFields } from '../../warned-fields.ts'
import { MAX_WARNINGS, toWireWarnings } from '../../wire-warnings.ts'
import type { Taken } from './publish-queue.ts'

const MAX_MESSAGE_LENGTH = 300

/** Undefined when there is nothing to publish: no refusal, and no warning that the device has not had within the hour. */
export function toErrorReport(
  { storedCount, refusals, warned }: Taken,
  about: { readonly messageId: number | undefined; readonly deviceId: string; readonly nowMs: number; readonly warnedFields: WarnedFields },
): MqttErrorReport | undefined {
  const room = { left: MAX_WARNINGS }
  const warnings = warned.flatMap(({ index, warnings: ofRecord }) => {
    const fresh = about.warnedFields.takeNew(about.deviceId, ofRecord, about.nowMs)
    return (toWireWarnings(fresh, room) ?? []).map((warning) => ({ index, ...warning }))
  })
  if (refusals.length === 0 && warnings.length === 0) return undefined
  return {
    ...(about.messageId === undefined ? {} : { message_id: about.messageId }),
    records_stored: storedCount,
    records_rejected: refusals.length,
    errors: refusals.map(({ index, problem }) => ({
      ...(index === undefined ? {} : { index }),
      code: problem.code,
      message: problem.message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed(),
    })),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}
