/** Whether an address is of this machine, also when an IPv4 one comes through an IPv6 socket. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.')
}
