// What each plan allows. 0 means unlimited.

export const planNames = ['starter', 'professional', 'enterprise'] as const
export type PlanName = (typeof planNames)[number]

export const subscriptions = ['trialing', 'active', 'past_due', 'canceled'] as const
export type Subscription = (typeof subscriptions)[number]

/** Spec §5.1: production use expects an active or trialing subscription. */
export const servedSubscriptions: readonly Subscription[] = ['trialing', 'active']

export function isServed(subscription: Subscription): boolean {
  return servedSubscriptions.includes(subscription)
}

export type PlanLimits = {
  /** Per key, in any sliding 60 s. */
  readonly perMinute: number
  /** Per key and UTC day. */
  readonly perDay: number
  /** Per reseller and calendar month (UTC). */
  readonly platformCallsPerMonth: number
  readonly predictionsPerMonth: number
}
export type Plans = Readonly<Record<PlanName, PlanLimits>>

/** Spec §8. The prediction quota of Starter is a choice (Spec gap §8). */
export const defaultPlans: Plans = {
  starter: { perMinute: 60, perDay: 5_000, platformCallsPerMonth: 100_000, predictionsPerMonth: 10_000 },
  professional: { perMinute: 60, perDay: 5_000, platformCallsPerMonth: 0, predictionsPerMonth: 0 },
  enterprise: { perMinute: 60, perDay: 5_000, platformCallsPerMonth: 0, predictionsPerMonth: 0 },
}

export type KeyLimits = { readonly perMinute: number; readonly perDay: number }

/**
 * Of one person who is signed in, whatever sends the cookie. The dashboard asks every 4 s (its `queries.ts`), with a fleet of 10,000 vehicles
 * for 20 pages of them and the alerts: 315 a minute. Three such windows side by side, and a quarter in hand.
 */
export const PERSON_LIMITS: KeyLimits = { perMinute: 1_200, perDay: 0 }
/**
 * Of a reseller: all its people and those of its keys that are limited, however many there are. 200 keys at the default of a plan, or ten
 * people at their limit. Assumption.
 */
export const RESELLER_LIMITS: KeyLimits = { perMinute: 12_000, perDay: 0 }

export type SurfaceName = 'external' | 'platform-v1' | 'sim-billing'

/**
 * The limits of a key on one surface. Spec gap §8: the table gives the per-minute and per-day defaults to External API keys, and states of
 * the Platform API that two plans are unlimited there. So a plan's defaults apply on the External API only, while a limit set on the key
 * itself holds wherever the key is used, all surfaces sharing one count. SIMs and billing go by the limits of the External API.
 */
export function limitsOfKey(
  own: { perMinute: number | undefined; perDay: number | undefined },
  plan: PlanLimits,
  surface: SurfaceName,
): KeyLimits | undefined {
  const defaults = surface === 'platform-v1' ? { perMinute: 0, perDay: 0 } : plan
  const limits = { perMinute: own.perMinute ?? defaults.perMinute, perDay: own.perDay ?? defaults.perDay }
  return limits.perMinute === 0 && limits.perDay === 0 ? undefined : limits
}

/** A calendar month of UTC, which everything goes by that a plan or a sub-client is limited to. `from` is its first day. */
export type MonthUtc = { readonly from: string; readonly fromInstant: Date; readonly untilInstant: Date }

export function monthOf(now: Date): MonthUtc {
  const first = (monthIndex: number) => new Date(Date.UTC(now.getUTCFullYear(), monthIndex, 1))
  const fromInstant = first(now.getUTCMonth())
  return { from: fromInstant.toISOString().slice(0, 10), fromInstant, untilInstant: first(now.getUTCMonth() + 1) }
}
