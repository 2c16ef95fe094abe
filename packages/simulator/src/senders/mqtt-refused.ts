// In a file of its own: the command line recognises this error without loading the client of MQTT.

/** Broker and credentials do not go together; the device will not get in by waiting. */
export class MqttRefused extends Error {
  override readonly name = 'MqttRefused'
}
