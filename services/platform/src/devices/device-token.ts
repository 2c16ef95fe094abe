// What a phone or a tracker proves itself with over HTTP, where it can send neither a header nor a password: a text in its address or in place of its
// identifier (ADR 0044). It names no device and shows its finder nothing, but anyone who has it is let in.

import { randomText } from '@roadworthy/service-kit/text/ids'
import { sha256 } from './credentials.ts'

export type DeviceToken = {
  /** Shown once and never stored. */
  readonly token: string
  readonly tokenSha256: Buffer
}

const PREFIX = 'rwt-'
/** It may have to be typed from a screen: without letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
/** 129 bits: nobody guesses one. */
const LENGTH = 26
const TOKEN = new RegExp(`^${PREFIX}[${ALPHABET}]{${LENGTH}}$`)

/** Ways of connecting whose devices get a token when they are registered. Any other device gets one when it is asked for. */
const METHODS_WITH_TOKEN: ReadonlySet<string> = new Set(['osmand', 'http'])

export function createDeviceToken(): DeviceToken {
  const token = PREFIX + randomText(LENGTH, ALPHABET)
  return { token, tokenSha256: sha256(token) }
}

export function comesWithToken(connectionMethod: string): boolean {
  return METHODS_WITH_TOKEN.has(connectionMethod)
}

/** The hash to look for; undefined of a text that no token looks like. Keyboards of phones begin with a capital letter and end with a space. */
export function hashPresentedToken(presented: string): Buffer | undefined {
  const token = presented.trim().toLowerCase()
  return TOKEN.test(token) ? sha256(token) : undefined
}
