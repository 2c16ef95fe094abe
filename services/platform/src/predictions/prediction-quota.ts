import { Problem } from '@roadworthy/service-kit/http/problem'

/** Takes predictions from the reseller's quota, metered to the sub-client when there is one; answers how many were granted. */
export type ConsumePredictionQuota = (resellerId: string, count: number, subClientId: string | undefined) => Promise<number>

export function quotaExceeded(): Problem {
  return new Problem('quota_exceeded', 'The predictions of the plan, or of the sub-client, are used up for this month.', {
    actionRequired: 'upgrade_plan',
  })
}
