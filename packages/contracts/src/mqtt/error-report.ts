import { type Static, Type } from 'typebox'

/** Published to `<prefix>/<reseller_slug>/devices/<device_id>/errors`, QoS 0, when records of a message were not taken, or fields of it not understood. */
export const MqttErrorReport = Type.Object(
  {
    message_id: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 65_535, description: 'Packet identifier of the PUBLISH, when it had one (QoS 1).' }),
    ),
    records_stored: Type.Integer({ minimum: 0, description: 'Records of the same message that are stored, duplicates included.' }),
    records_rejected: Type.Integer({ minimum: 0 }),
    errors: Type.Array(
      Type.Object(
        {
          index: Type.Optional(
            Type.Integer({
              minimum: 0,
              description: 'Place of the record in the message; absent when the message could not be read at all.',
            }),
          ),
          code: Type.String({ examples: ['invalid_request', 'batch_too_large', 'payload_too_large', 'sub_client_suspended'] }),
          message: Type.String({ maxLength: 300 }),
        },
        { title: 'MqttRecordError' },
      ),
    ),
    warnings: Type.Optional(
      Type.Array(
        Type.Object(
          {
            index: Type.Integer({ minimum: 0, description: 'Place of the record in the message.' }),
            field: Type.String({ description: 'The key as it was sent.' }),
            reason: Type.String({ description: '`implausible`, or `unknown, kept in extra` with the closest known name.' }),
          },
          { title: 'MqttFieldWarning' },
        ),
        { minItems: 1, description: 'Fields that were stored and are not used. Each is reported to a device once an hour.' },
      ),
    ),
  },
  {
    title: 'MqttErrorReport',
    examples: [
      {
        message_id: 17,
        records_stored: 1,
        records_rejected: 1,
        errors: [{ index: 1, code: 'invalid_request', message: 'A record must be a JSON object.' }],
        warnings: [{ index: 0, field: 'coolnt_temp', reason: 'unknown, kept in extra; the closest known name is "coolant_temp"' }],
      },
    ],
  },
)
export type MqttErrorReport = Static<typeof MqttErrorReport>
