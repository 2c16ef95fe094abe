import { toHostName } from './host-name.ts'

/** Whether a host name is the operator's own, so that no reseller shows a brand there. */
export type IsReservedHost = (host: string) => boolean

/** The host of `baseUrl`, and of `list` (separated by commas) each name, or with `*.` before it every name under it. */
export function createReservedHosts(baseUrl: string, list: string): IsReservedHost {
  const entries = [new URL(baseUrl).hostname, ...entriesOf(list)].map((entry) => entry.toLowerCase())
  const names = new Set(entries.map((entry) => toHostName(entry) ?? entry))
  const parents = entries.filter((entry) => entry.startsWith('*.')).map((entry) => `.${toHostName(entry.slice(2))}`)
  return (host) => names.has(host) || parents.some((parent) => host.endsWith(parent))
}

/** Entries that are no host names. */
export function wrongReservedHosts(list: string): string[] {
  return entriesOf(list).filter((entry) => toHostName(entry.replace(/^\*\./, '')) === undefined)
}

function entriesOf(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}
