// Addresses among the settings: those that have no form of an address are reported by name, at the start and not where they are first used.

import type { SettingProblem } from '@roadworthy/service-kit/settings'

type AddressSettings = { readonly baseUrl?: string | undefined; readonly engineUrl?: string | undefined }
type ServedAt = { readonly baseUrl?: string | undefined; readonly host: string }

export function findAddressProblems({ baseUrl, engineUrl }: AddressSettings): SettingProblem[] {
  return [
    ...addressProblem('BASE_URL', baseUrl, '--base-url https://fleet.example.com'),
    ...addressProblem('ENGINE_URL', engineUrl, '--engine-url http://engine:8090'),
  ]
}

function addressProblem(name: string, text: string | undefined, example: string): SettingProblem[] {
  if (text === undefined || isPlainAddress(text)) return []
  // What stands before an @ may be a password.
  const value = text.includes('@') ? '(hidden)' : text
  return [
    { name, value, source: 'settings', fix: `it must be a whole address, without a user, a query or a fragment. For example ${example}.` },
  ]
}

function isPlainAddress(text: string): boolean {
  const url = URL.parse(text)
  // A query or a fragment may be an empty one.
  return url !== null && url.username === '' && url.password === '' && !/[?#]/.test(text)
}

/** Paths are put behind it. */
export function withoutLastSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

/** The address under which people and programs find this instance, whatever host a request names. */
export function baseUrlOf(settings: ServedAt, httpPort: number): string {
  return settings.baseUrl ?? urlOfHost(isEveryAddress(settings.host) ? 'localhost' : settings.host, httpPort)
}

/** Of a process that listens there, for one on the same machine. */
export function localUrlOf(host: string, port: number): string {
  return urlOfHost(isEveryAddress(host) ? '127.0.0.1' : host, port)
}

export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** As it stands in an address: one of IPv6 in brackets. */
export function hostAndPort({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

function urlOfHost(host: string, port: number): string {
  return `http://${hostAndPort({ host, port })}`
}
