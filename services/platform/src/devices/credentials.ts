import { createHash, pbkdf2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { BASE62, randomText } from '@roadworthy/service-kit/text/ids'

export type Credentials = {
  /** Shown once and never stored. */
  readonly password: string
  /** For external brokers: `$7$<iterations>$<salt>$<key>` is what Mosquitto's password file holds. */
  readonly passwordHash: string
  /** For our own broker, which then spends microseconds and not milliseconds when 10,000 devices reconnect at once. */
  readonly secretSha256: Buffer
}

const PASSWORD_LENGTH = 32
const SALT_BYTES = 12
const KEY_BYTES = 64
/** Enough, because the password is 190 random bits: there is nothing to guess that stretching would slow down. */
const ITERATIONS = 1_000

const derive = promisify(pbkdf2)

export async function createCredentials(): Promise<Credentials> {
  const password = randomText(PASSWORD_LENGTH, BASE62)
  return { password, passwordHash: await createMosquittoHash(password), secretSha256: sha256(password) }
}

/** `$7$<iterations>$<salt>$<key>`: PBKDF2 with SHA-512, as Mosquitto keeps it. */
export async function createMosquittoHash(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await derive(password, salt, ITERATIONS, KEY_BYTES, 'sha512')
  return `$7$${ITERATIONS}$${salt.toString('base64')}$${key.toString('base64')}`
}

export function sha256(text: string | Buffer): Buffer {
  return createHash('sha256').update(text).digest()
}
