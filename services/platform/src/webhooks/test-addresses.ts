// For tests only: how one may try to name what is not public. Each must be refused when it is stored and when it is sent to.

import { isIPv4 } from 'node:net'
import type { ResolveName } from '@roadworthy/service-kit/network/address-guard'

/** Hosts that name their address themselves, or need nobody to be asked. */
const literalHosts: readonly string[] = [
  // Loopback in every spelling that a URL knows.
  ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001'],
  ...['0x7F.0x0.0x0.0x1', '127.0.0.1.', '１２７.０.０.１', '①②⑦.⓪.⓪.①', '127。0。0。1', '%31%32%37.0.0.1'],
  // Private, shared, link-local and other special IPv4.
  ...['0.0.0.0', '0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '0xa000001', '100.64.0.1', '100.127.255.255', '169.254.169.254'],
  ...['2852039166', '0xA9FEA9FE', '0251.0376.0251.0376', '172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1'],
  ...['192.168.0.1', '0300.0250.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  // IPv6, and IPv4 within it.
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:a00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]'],
  ...['[64:ff9b:1::a00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]', '[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[ff02::1]'],
  ...['[2001:db8::1]', '[3fff::1]', '[100::1]', '[5f00::1]'],
  // Names of this machine and of networks.
  ...['localhost', 'localhost.', 'LOCALHOST', 'app.localhost', 'metadata', 'metadata.google.internal', 'printer.local', 'instance-data'],
]

/** Names of anybody who owns a domain, with what DNS answers for them. */
const resolvedHosts: Readonly<Record<string, readonly string[]>> = {
  'loopback.example.com': ['127.0.0.1'],
  'mixed.example.com': ['93.184.215.14', '10.0.0.5'],
  'mapped.example.com': ['::ffff:10.0.0.5'],
  'six.example.com': ['2606:4700::1', 'fd00::1'],
  'link.example.com': ['fe80::1%eth0'],
}

export const forbiddenHosts: readonly string[] = [...literalHosts, ...Object.keys(resolvedHosts)]

/** Knows those names and no other. */
export const resolveForbidden: ResolveName = async (hostname) => {
  const addresses = resolvedHosts[hostname]
  if (addresses === undefined) throw Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
  return addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }))
}
