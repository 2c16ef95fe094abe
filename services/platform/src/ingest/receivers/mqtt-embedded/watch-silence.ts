// Which devices are silent for longer than they may. Not Aedes' own keepalive, which does not see what is taken before its parser.

/** MQTT-3.1.2-24: a device is closed after one and a half times its keepalive. */
const KEEPALIVE_GRACE = 1.5

/** To be refreshed with whatever comes. While `isNotRead` nobody is silent: what the device sends may wait where it is not read. */
export function watchSilence(keepaliveS: number, isNotRead: () => boolean, close: () => void): NodeJS.Timeout {
  const timer = setTimeout(
    () => {
      if (isNotRead()) timer.refresh()
      else close()
    },
    keepaliveS * KEEPALIVE_GRACE * 1_000,
  )
  return timer
}
