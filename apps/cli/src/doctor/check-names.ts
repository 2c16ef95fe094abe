// Whether the hosts that settings name have an address.

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Finding, okay, wrong } from '../finding.ts'

export type NamedHost = { readonly setting: string; readonly host: string }

export async function checkNames(hosts: readonly NamedHost[]): Promise<Finding> {
  const named = hosts.filter(({ host }) => isIP(host.replace(/^\[|\]$/g, '')) === 0)
  const looked = await Promise.all(named.map(async (each) => ({ ...each, code: await codeOf(each.host) })))
  const missing = looked.filter(({ code }) => code !== undefined)
  if (missing.length === 0)
    return okay('dns', named.length === 0 ? 'no setting names a host' : `${named.map(({ host }) => host).join(', ')} have addresses`)
  return wrong('dns', {
    detail: `no address for ${missing.map(({ setting, host, code }) => `${host} of ${setting} (${code})`).join(', ')}.`,
    why: 'The service cannot reach it, and tries again and again.',
    fix: 'Check the spelling; getent hosts NAME has to answer on this machine, in a container that of its network.',
  })
}

async function codeOf(host: string): Promise<string | undefined> {
  try {
    await lookup(host)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'no answer'
  }
}
