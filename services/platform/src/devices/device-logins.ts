// What a device that signs in is checked by. Asked of the database for each sign-in, so that a secret that was rotated and a device that was suspended let
// nobody in by an older answer; a crowd that comes at once is a few questions.

import { BatchLoader, inOrder } from '@roadworthy/service-kit/pacing/batch-loader'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { type DeviceLogin, selectDeviceLoginsAcrossResellers } from './device-logins.sql.ts'
import { parseMqttUsername } from './mqtt-identity.ts'

const MAX_DEVICES_PER_READ = 500
/** While one is under way, those that come meanwhile need not wait for its end. */
const READS_AT_ONCE = 2

export class DeviceLogins {
  readonly #reads: BatchLoader<string, DeviceLogin | undefined>

  constructor(database: Pick<Database, 'systemPool'>) {
    const read = (usernames: readonly string[]) => {
      const names = usernames.flatMap((username) => parseMqttUsername(username) ?? [])
      return inOrder(usernames, selectDeviceLoginsAcrossResellers(database.systemPool, names))
    }
    this.#reads = new BatchLoader(read, { maxKeys: MAX_DEVICES_PER_READ, concurrency: READS_AT_ONCE })
  }

  /** By a well-formed username. Undefined where there is no such device. Rejects when the database is away. */
  find(username: string): Promise<DeviceLogin | undefined> {
    return this.#reads.load(username)
  }
}
