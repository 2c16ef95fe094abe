// How Traccar Client is set up, by a QR code or by hand. After its ConfigurationService: of an address that is scanned, what is before the question mark becomes
// the server's, and parameters become settings. Older versions know fewer of these, and pass over the others.

/** Where phones send (docs/phones-and-trackers.md). */
const PHONE_PATH = '/api/external/ingest/osmand'
/** Every 30 seconds while the phone moves, by GPS; kept while it is out of reach; and tracking begins by itself in versions that can. */
const SETTINGS = { accuracy: 'high', interval: '30', distance: '0', buffer: 'true', stop_detection: 'true', service: 'true' }

export function phoneServerUrl(origin: string): string {
  return origin + PHONE_PATH
}

export function phoneSetupUrl(origin: string, token: string): string {
  return `${phoneServerUrl(origin)}?${new URLSearchParams({ id: token, ...SETTINGS })}`
}

/** Whether an address is of this machine: a phone that is given it would send to itself. */
export function isOnlyLocal(origin: string): boolean {
  const { hostname } = new URL(origin)
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname)
}
