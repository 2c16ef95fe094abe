// An operator's platform and a payment gateway as child processes, and how a reseller connects to them. Both listen on loopback,
// which the service must be allowed to call.

import { type EmulatorChild, startEmulatorChild } from '@roadworthy/gateway-emulator/testing-emulator'
import { ciscoConnection } from '@roadworthy/operator-emulator/connections'
import { type RunningEmulator, startEmulator } from '@roadworthy/operator-emulator/testing-emulator'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'

const API_KEY = 'sk_test_for_tests'
const KEY_ID = 'rzp_test_fortests'
const KEY_SECRET = 'secret-of-the-key'
export const WEBHOOK_SECRET = 'whsec_for-tests-0123456789'

export type EmulatedPlatforms = {
  readonly operator: RunningEmulator
  readonly gateway: EmulatorChild
  /** Body of `POST /operator-connections`. Each account is one reseller's: `nth` counts from 1. */
  readonly cisco: (nth?: number) => object
  /** Of `POST /gateway-connections`. */
  readonly stripe: object
  readonly razorpay: object
  /** Has the gateway send its callbacks there, which identifies the gateway. */
  sendCallbacksTo(callbackUrl: string): Promise<void>
}

export async function startEmulatedPlatforms(t: CleanUp, accounts: number): Promise<EmulatedPlatforms> {
  const [operator, gateway] = await Promise.all([
    startEmulator({ sims: 8, accounts, jobMs: 50 }),
    startEmulatorChild({ retryDelaysMs: [100, 500] }),
  ])
  t.after(async () => {
    await operator.stop()
    await gateway.stop()
  })
  return {
    operator,
    gateway,
    cisco: (nth = 1) => {
      const { baseUrl, secrets } = ciscoConnection(operator.url, nth)
      const settings = { time_zone: 'UTC', cycle_settle_minutes: 0, parking_rate_plan: 'PARKING' }
      const credentials = { username: secrets.username, api_key: secrets.apiKey }
      return { operator: 'cisco', name: 'Cisco', base_url: baseUrl, credentials, settings }
    },
    stripe: {
      ...{ gateway: 'stripe', name: 'Stripe', settings: { base_url: gateway.url } },
      credentials: { api_key: API_KEY, webhook_secret: WEBHOOK_SECRET },
    },
    razorpay: {
      ...{ gateway: 'razorpay', name: 'Razorpay', settings: { base_url: gateway.url, key_id: KEY_ID } },
      credentials: { key_secret: KEY_SECRET, webhook_secret: WEBHOOK_SECRET },
    },
    sendCallbacksTo: (callbackUrl) => {
      const ofIt = callbackUrl.includes('/razorpay/')
        ? ({ gateway: 'razorpay', key: KEY_ID, keySecret: KEY_SECRET } as const)
        : ({ gateway: 'stripe', key: API_KEY } as const)
      return gateway.setAccount({ ...ofIt, callbackUrl, webhookSecrets: [WEBHOOK_SECRET] })
    },
  }
}
