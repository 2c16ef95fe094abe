// Whether an MQTT broker is there and guards its receiver. A real sign-in needs a device's password, which nobody but the device has.

import mqtt from 'mqtt'
import { CommandFailure, NothingThere } from './failure.ts'

const TIMEOUT_MS = 5_000
/** CONNACK return codes 4 and 5 (MQTT-3.2.2-6): wrong password, not authorised. */
const REFUSED_CODES = [4, 5]
/** CONNACK return code 3: server unavailable. Ours answers so while the database is away. */
const UNAVAILABLE_CODE = 3
/** Has the form of a device's id, so that the broker looks it up, and the database behind the broker is asked too. */
const DEVICE_ID = 'dev-doctor00000000000000'

/** Connects as a device that does not exist, which has to be refused. */
export async function refuseStranger(url: string): Promise<string> {
  const client = mqtt.connect(url, {
    clientId: DEVICE_ID,
    username: `doctor/${DEVICE_ID}`,
    password: 'none',
    reconnectPeriod: 0,
    connectTimeout: TIMEOUT_MS,
  })
  try {
    return await new Promise((resolve, reject) => {
      client.on('connect', () => reject(new CommandFailure(`${url} lets in everybody. Is that Roadworthy's broker?`)))
      client.on('error', (error: Error & { code?: unknown }) => {
        if (REFUSED_CODES.includes(Number(error.code))) resolve(`${url} answers, and refuses a stranger`)
        else if (Number(error.code) === UNAVAILABLE_CODE) {
          reject(
            new CommandFailure(`${url} answers, and lets nobody in: it is unavailable (3). While the database is away no device signs in.`),
          )
        } else reject(silent(url, String(error.code ?? error.message)))
      })
      client.on('close', () => reject(silent(url, 'the connection was closed')))
    })
  } finally {
    client.on('error', () => {})
    client.end(true)
  }
}

function silent(url: string, reason: string): NothingThere {
  return new NothingThere(`No MQTT broker answers at ${url} (${reason}). Is Roadworthy running there, and its port open?`)
}
