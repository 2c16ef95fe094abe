import { absoluteTime } from './format.ts'

const short = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', year: 'numeric', hour: '2-digit', minute: '2-digit' })

/** A time to come, or one to look up: to the minute, with the zone under the pointer. */
export function ShortTime({ time }: { time: string }) {
  return (
    <time dateTime={time} title={absoluteTime(time)}>
      {short.format(new Date(time))}
    </time>
  )
}
