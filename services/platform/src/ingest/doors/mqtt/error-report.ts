// What a device is told about records it sent that cannot be taken: one message on its `…/errors` topic, in the form of the contract.

import type { MqttErrorReport } from '@roadworthy/contracts/mqtt/error-report'
import type { RecordRefusal } from './decode.ts'

const MAX_MESSAGE_LENGTH = 300

export function toErrorReport(messageId: number | undefined, storedCount: number, refusals: readonly RecordRefusal[]): MqttErrorReport {
  return {
    ...(messageId === undefined ? {} : { message_id: messageId }),
    records_stored: storedCount,
    records_rejected: refusals.length,
    errors: refusals.map(({ index, problem }) => ({
      ...(index === undefined ? {} : { index }),
      code: problem.code,
      message: problem.message.slice(0, MAX_MESSAGE_LENGTH),
    })),
  }
}
