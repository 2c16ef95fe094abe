import { createStream, nextGaussian } from './random.ts'
import type { Region } from './regions.ts'

const DAY_MS = 86_400_000

/**
 * Air temperature of a region at an instant: the year's sine (coldest in mid January), the day's (coldest before dawn), and weather that
 * wanders from day to day, the same for every vehicle of the region.
 */
export function ambientTempC(region: Region, atMs: number, seed: number): number {
  const { meanC, seasonC, dayNightC } = region.climate
  const dayOfYear = (atMs / DAY_MS) % 365.25
  const localHour = (atMs / 3_600_000 + region.utcOffsetH) % 24
  const season = -Math.cos((2 * Math.PI * (dayOfYear - 16)) / 365.25) * seasonC
  const day = -Math.cos((2 * Math.PI * (localHour - 4)) / 24) * dayNightC
  const today = Math.floor(atMs / DAY_MS)
  const share = atMs / DAY_MS - today
  const weather = (1 - share) * weatherC(region, today, seed) + share * weatherC(region, today + 1, seed)
  return meanC + season + day + weather
}

const WEATHER_SPREAD_C = 2.5
const weatherByDay = new Map<string, number>()
const MAX_WEATHER_DAYS = 1_000

function weatherC(region: Region, day: number, seed: number): number {
  const key = `${region.id}/${day}/${seed}`
  let spread = weatherByDay.get(key)
  if (spread === undefined) {
    if (weatherByDay.size >= MAX_WEATHER_DAYS) weatherByDay.clear()
    spread = nextGaussian(createStream(seed, `weather/${region.id}/${day}`)) * WEATHER_SPREAD_C
    weatherByDay.set(key, spread)
  }
  return spread
}

/** Share of the free-flow speed that traffic leaves: lowest in the two rush hours (TomTom Traffic Index: 40 to 60 % slower at peak). */
export function trafficShare(region: Region, atMs: number): number {
  const localHour = (atMs / 3_600_000 + region.utcOffsetH) % 24
  const rush = (hour: number) => Math.exp(-(((localHour - hour) / 1.2) ** 2))
  return 1 - 0.4 * Math.max(rush(8), rush(17))
}
