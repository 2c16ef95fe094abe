// What a connection to an account of the emulator consists of, for whoever stores one. Accounts count from 1.

import { AIRTEL_PREFIX, airtelCredentials } from './airtel-wire.ts'
import { CISCO_PREFIX, ciscoCredentials } from './cisco-wire.ts'
import { PARKING_PLAN, TEST_PLAN } from './sim.ts'

export function ciscoConnection(url: string, nth = 1) {
  return {
    operator: 'cisco' as const,
    baseUrl: `${url}${CISCO_PREFIX}`.replace(/\/$/, ''),
    settings: { cycleDay: 1, timeZone: 'UTC', cycleSettleMinutes: 0, parkingRatePlan: PARKING_PLAN },
    secrets: ciscoCredentials(nth),
  }
}

export function airtelConnection(url: string, nth = 1) {
  const { clientId, clientSecret, apiKey, customerId, ivUser, basketId } = airtelCredentials(nth)
  return {
    operator: 'airtel' as const,
    baseUrl: `${url}${AIRTEL_PREFIX}`.replace(/\/$/, ''),
    settings: { cycleDay: 1, timeZone: 'Asia/Kolkata', cycleSettleMinutes: 0, customerId, ivUser, basketId, testPlan: TEST_PLAN },
    secrets: { clientId, clientSecret, apiKey },
  }
}
