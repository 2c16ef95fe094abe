// What a key may still do, by the headers of an answer (draft-ietf-httpapi-ratelimit-headers-10).

import { CommandFailure, exitCodes } from '../failure.ts'
import { describeRefusal, request } from '../http-client.ts'

export type KeyLimits = { readonly perMinute: number | undefined; readonly perDay: number | undefined }

export async function readKeyLimits(baseUrl: string, apiKey: string): Promise<KeyLimits> {
  const answer = await request(`${baseUrl}/api/external/devices?limit=1`, { apiKey })
  if (answer.status !== 200)
    throw new CommandFailure(describeRefusal(answer, baseUrl), answer.status === 401 ? exitCodes.notAllowed : exitCodes.failed)
  const policy = answer.headers.get('ratelimit-policy') ?? ''
  const of = (name: string) => {
    const quota = new RegExp(`"${name}";q=(\\d+)`).exec(policy)?.[1]
    return quota === undefined ? undefined : Number(quota)
  }
  return { perMinute: of('minute'), perDay: of('day') }
}

export type Calls = { readonly registrations: number; readonly perSecond: number; readonly seconds: number }

/** Throws where the calls of a load would be refused, with what would fit. Each device is registered and decommissioned by a call each. */
export function refuseBeyond({ perMinute, perDay }: KeyLimits, { registrations, perSecond, seconds }: Calls): void {
  const total = Math.ceil(perSecond * seconds) + 2 * registrations
  const inMinute = Math.ceil(perSecond * Math.min(60, seconds)) + registrations
  const fix =
    'Give a lower --rate, fewer --seconds or --devices, or a key without limits (npx roadworthy keys create --per-minute 0 --per-day 0); over MQTT readings are no calls.'
  if (perMinute !== undefined && inMinute > perMinute) {
    throw new CommandFailure(`The key may make ${perMinute} calls a minute, and this would be ${inMinute}. ${fix}`, exitCodes.usage)
  }
  if (perDay !== undefined && total > perDay) {
    throw new CommandFailure(`The key may make ${perDay} calls a day, and this would be ${total}. ${fix}`, exitCodes.usage)
  }
}
