/** What the MQTT receiver has done since it started; the metrics read it. Only ever counts up. */
export type MqttCounters = {
  connectionsRefused: number
  signInsRefused: number
  framingViolations: number
  /** Publishes to a foreign topic, foreign subscriptions, retained or QoS 2 messages; each closed its connection. */
  denials: number
  publishesAccepted: number
  /** Not acknowledged, because the store was away. */
  publishesUnstored: number
  recordsStored: number
  recordsRefused: number
  reportsDropped: number
}

export function createMqttCounters(): MqttCounters {
  return {
    connectionsRefused: 0,
    signInsRefused: 0,
    framingViolations: 0,
    denials: 0,
    publishesAccepted: 0,
    publishesUnstored: 0,
    recordsStored: 0,
    recordsRefused: 0,
    reportsDropped: 0,
  }
}
