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
  const weatherNowC = (1 - share) * weatherC(region, today, seed) + share * weatherC(region, today + 1, seed)
  return meanC + season + day + weatherNowC
}

const WEATHER_SPREAD_C = 2.5
/** Of one seed, by region and day: it is asked for every second of every vehicle, for which a key made of all three would be too slow. */
const weather = { seed: 0, days: new Map<string, Map<number, number>>() }
const MAX_WEATHER_DAYS = 1_000

function weatherC(region: Region, day: number, seed: number): number {
  const days = weatherDaysOf(region, seed)
  const known = days.get(day)
  if (known !== undefined) return known
  if (days.size >= MAX_WEATHER_DAYS) days.clear()
  const spread = nextGaussian(createStream(seed, `weather/${region.id}/${day}`)) * WEATHER_SPREAD_C
  days.set(day, spread)
  return spread
}

function weatherDaysOf({ id }: Region, seed: number): Map<number, number> {
  if (weather.seed !== seed) {
    weather.seed = seed
    weather.days.clear()
  }
  const known = weather.days.get(id)
  if (known !== undefined) return known
  const days = new Map<number, number>()
  weather.days.set(id, days)
  return days
}

/** Share of the free-flow speed that traffic leaves: lowest in the two rush hours (TomTom Traffic Index: 40 to 60 % slower at peak). */
export function trafficShare(region: Region, atMs: number): number {
  const localHour = (atMs / 3_600_000 + region.utcOffsetH) % 24
  const rush = (hour: number) => Math.exp(-(((localHour - hour) / 1.2) ** 2))
  return 1 - 0.4 * Math.max(rush(8), rush(17))
}
