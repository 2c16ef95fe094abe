import { Type } from 'typebox'
import { MAX_BATCH_RECORDS, TelemetryRecord } from '../external/telemetry.ts'

export const MAX_MQTT_PAYLOAD_BYTES = 64 * 1024

const MqttRecord = Type.Partial(TelemetryRecord, {
  title: 'MqttRecord',
  description:
    'A reading: a position, sensors or both. `device_id` may be left out; where it is there it must be the device that is connected.',
  additionalProperties: true,
})

/** Payload of a PUBLISH to `<prefix>/<reseller_slug>/devices/<device_id>/telemetry`, UTF-8 JSON of at most 64 KiB. */
export const MqttDeviceMessage = Type.Union(
  [MqttRecord, Type.Array(MqttRecord, { title: 'MqttRecords', minItems: 1, maxItems: MAX_BATCH_RECORDS })],
  {
    title: 'MqttDeviceMessage',
    examples: [{ lat: 28.6139, lon: 77.209, speed: 61, coolant_temp: 92 }, [{ speed: 61 }, { event: 'ignition_off' }]],
  },
)
