// One packet to a broker that may not take it.
import type { MqttClient, Packet } from 'mqtt'

/** A broker of MQTT 3.1.1 closes the connection over a packet that is too large for it, without a reason. Once may have been its own restart. */
const CLOSED_OVER_IT = 2

/** False where the broker closes the connection over it. Waits out a lost connection. Nothing else is to be on its way on this connection. */
export function isTaken(client: MqttClient, topic: string, payload: string | Buffer): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let isOut = client.connected
    let closedCount = 0
    // The client reports a connection only once what was out before is acknowledged; that the broker has let it in comes before that.
    const onPacket = (packet: Packet) => {
      if (packet.cmd === 'connack' && packet.returnCode === 0) isOut = true
    }
    const onClose = () => {
      if (isOut) closedCount++
      isOut = false
      if (closedCount < CLOSED_OVER_IT) return
      for (const id of Object.keys(client.outgoing)) client.removeOutgoingMessage(Number(id))
    }
    client.on('packetreceive', onPacket)
    client.on('close', onClose)
    client.publish(topic, payload, { qos: 1 }, (error) => {
      client.off('packetreceive', onPacket)
      client.off('close', onClose)
      if (error && closedCount < CLOSED_OVER_IT) reject(error)
      else resolve(!error)
    })
  })
}
