// Apart from the client of MQTT, which whoever only knows the error by its class does not load.

/** Broker and credentials do not go together; the device will not get in by waiting. */
export class MqttRefused extends Error {
  override readonly name = 'MqttRefused'
}
