// Who a device is on the broker, and where it publishes (spec §2.2).

/** The reseller's id is its slug. */
export function mqttUsername(resellerId: string, deviceId: string): string {
  return `${resellerId}/${deviceId}`
}

export function mqttTopic(topicPrefix: string, resellerId: string, deviceId: string): string {
  return `${topicPrefix}/${resellerId}/devices/${deviceId}/telemetry`
}

export function parseMqttUsername(username: string): { resellerId: string; deviceId: string } | undefined {
  const [, resellerId, deviceId] = /^([a-z0-9-]{1,64})\/(dev-[a-z0-9]{8,40})$/.exec(username) ?? []
  return resellerId === undefined || deviceId === undefined ? undefined : { resellerId, deviceId }
}
