import { absoluteTime, shortTime } from './format.ts'

/** A time to come, or one to look up: to the minute, with the zone under the pointer. */
export function ShortTime({ time }: { time: string }) {
  return (
    <time dateTime={time} title={absoluteTime(time)}>
      {shortTime(time)}
    </time>
  )
}
