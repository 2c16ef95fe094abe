import { absoluteTime, timeAgo } from './format.ts'
import { useNow } from './use-now.ts'

/** `5 min ago`, with the time itself under the pointer. */
export function TimeAgo({ time }: { time: string | null }) {
  const nowMs = useNow()
  if (time === null) return timeAgo(time, nowMs)
  return (
    <time dateTime={time} title={absoluteTime(time)}>
      {timeAgo(time, nowMs)}
    </time>
  )
}
