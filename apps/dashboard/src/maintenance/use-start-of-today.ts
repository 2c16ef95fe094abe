import { dayAt } from '@roadworthy/service-kit/time/zoned-time'
import { useSession } from '../session/use-session.ts'

/** Planned work of before is overdue. By the days of the account, as digests and the overview have it, wherever the person is. */
export function useStartOfToday(): Date {
  return new Date(dayAt(useSession()?.timeZone ?? 'UTC', Date.now()).fromMs)
}
