// What this browser itself knows of messages that are pushed to it. The service knows which browsers are whose.

const WORKER = '/push-worker.js'

/** `insecure`: browsers push to pages over https only. `denied`: the person blocked it, and a page cannot ask again. */
export type PushAbility = 'possible' | 'insecure' | 'missing' | 'denied'

export function pushAbility(): PushAbility {
  if (!window.isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'missing'
  return Notification.permission === 'denied' ? 'denied' : 'possible'
}

export async function findSubscription(): Promise<PushSubscription | undefined> {
  if (pushAbility() !== 'possible') return undefined
  const registration = await navigator.serviceWorker.getRegistration('/')
  return (await registration?.pushManager.getSubscription()) ?? undefined
}

/** Asks the person, and the browser's push service. `publicKey`: of the service, base64url. Undefined: the person said no. */
export async function subscribe(publicKey: string): Promise<PushSubscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  await navigator.serviceWorker.register(WORKER)
  const { pushManager } = await navigator.serviceWorker.ready
  // One of before may be for another key, which cannot be changed.
  await (await pushManager.getSubscription())?.unsubscribe()
  return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

/** As the service distinguishes browsers without showing where they are reached. */
export async function endpointSha256Of({ endpoint }: PushSubscription): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
