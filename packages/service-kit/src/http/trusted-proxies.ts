// Whose X-Forwarded-* headers are believed. Every proxy appends the address that it was called from, so the caller is the rightmost address
// that is not one of our own proxies; what stands left of it, the caller may have made up.

import { isIP } from 'node:net'
import { wrongCidrs } from '../network/address-guard.ts'
import { isLoopback } from '../network/loopback.ts'

/** What means "none" in configurations of before this was a list. */
const NONE = ['off', 'false', 'no', '0']
const EVERYBODY = /\/0+$/
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/

/** The networks of a list such as `127.0.0.1, 10.0.0.0/8`. */
export function readTrustedProxies(text: string | undefined): readonly string[] {
  const parts = (text ?? '').split(/[\s,]+/).filter((part) => part !== '')
  return parts.length === 1 && NONE.includes(parts[0]?.toLowerCase() ?? '') ? [] : parts
}

/** What is wrong with such a list and what to write in its place, if anything. */
export function wrongTrustedProxies(text: string | undefined): string | undefined {
  const networks = readTrustedProxies(text)
  const form = 'Write the networks of your proxies, separated by commas: 127.0.0.1 for one on this machine, 10.0.0.0/8, fd00::/8.'
  if (networks.some((network) => EVERYBODY.test(network))) {
    return `it would believe everybody, and with that whatever address a caller makes up. ${form}`
  }
  const wrong = networks.filter((network) => isIP(network) === 0 && wrongCidrs(network).length > 0)
  if (wrong.length === 0) return undefined
  if (wrong.some((word) => ['on', 'true', 'yes', '1'].includes(word.toLowerCase()))) {
    return `it is a list of networks, because believing everybody believes whatever address a caller makes up. ${form}`
  }
  return `${wrong.join(', ')}: not a network. ${form}`
}

/**
 * The end of an X-Forwarded-For header that can be true, without ports. It begins behind the last part that is not an address, or that is one of
 * the loopback: a call from this machine comes over a socket of this machine, and what a proxy elsewhere calls so is itself.
 */
export function plausibleForwardedFor(header: string): string | undefined {
  const addresses: string[] = []
  for (const part of header.split(',').reverse()) {
    const text = part.trim()
    const [, v6, v4] = WITH_PORT.exec(text) ?? []
    const address = v6 ?? v4 ?? text
    if (isIP(address) === 0 || isLoopback(address)) break
    addresses.unshift(address)
  }
  return addresses.length === 0 ? undefined : addresses.join(', ')
}
