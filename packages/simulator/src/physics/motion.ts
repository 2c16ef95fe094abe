// Where a vehicle goes and how fast: trips from the depot over deliveries and back, lights, traffic, the driver's hand.
import { trafficShare } from '../fleet/climate.ts'
import { nextBetween, nextGaussian, nextInteger, nextUnit, pickOne } from '../fleet/random.ts'
import { DEPOT, type Region, type RoadClass } from '../fleet/regions.ts'
import { distanceM, type Leg, legBetween, placeOf, shortestPath } from '../fleet/road-graph.ts'
import type { Motion, StopKind, VehicleProfile, VehicleState } from '../fleet/vehicle-state.ts'

const LIMIT_KMH: Record<RoadClass, number> = { urban: 50, arterial: 80, motorway: 120 }
/** Metres between signals, and the chance that one is red. */
const LIGHTS: Record<RoadClass, { spacingM: number; redShare: number } | null> = {
  urban: { spacingM: 450, redShare: 0.4 },
  arterial: { spacingM: 2_500, redShare: 0.35 },
  motorway: null,
}
const HARSH_BRAKE_MPS2 = 5
/** Event thresholds common to telematics units: about 0.35 g of braking, 0.3 g of acceleration. */
const HARSH_BRAKING_EVENT_MPS2 = 3.5
const LIMP_KMH = 55
const RED_LAMP_LIMIT_KMH = 70

export function currentLeg(profile: VehicleProfile, motion: Motion): Leg | undefined {
  const [from, to] = motion.path
  return from === undefined || to === undefined ? undefined : legBetween(profile.region, from, to)
}

/** Plans a round trip over one to three deliveries, and loads for it. */
export function startTrip(profile: VehicleProfile, state: VehicleState): void {
  const { motion, random } = state
  const places = placesWithin(profile.region, REACH_M[profile.model.kind])
  motion.deliveries = Array.from({ length: nextInteger(random, 1, 3) }, () => pickOne(random, places))
  motion.loadKg = profile.model.payloadKg * nextBetween(random, 0.2, 0.9)
  const here = motion.path[0] ?? DEPOT
  routeTo(profile, motion, motion.deliveries.find((place) => place !== here) ?? DEPOT)
}

/** How far from the depot each kind of vehicle delivers, as the crow flies. */
const REACH_M = { car: 25_000, van: 32_000, truck: 150_000 } as const

function placesWithin(region: Region, reachM: number): string[] {
  const depot = placeOf(region, DEPOT)
  return Object.keys(region.places).filter((name) => name !== DEPOT && distanceM(depot, placeOf(region, name)) <= reachM)
}

function routeTo(profile: VehicleProfile, motion: Motion, destination: string): void {
  motion.path = shortestPath(profile.region, motion.path[0] ?? DEPOT, destination)
  motion.alongM = 0
  motion.nextLightM = Number.MAX_SAFE_INTEGER
}

/** Moves a running vehicle one step; returns why it came to a stop, when it did. */
export function drive(profile: VehicleProfile, state: VehicleState, dtS: number, powerLimitMps2: number): StopKind | undefined {
  const { motion, random } = state
  const leg = currentLeg(profile, motion)
  if (!leg) return 'depot'
  if (motion.nextLightM > leg.lengthM * 2) motion.nextLightM = motion.alongM + lightSpacing(leg, state)

  const stop = nextStop(motion, leg)
  const speedMps = motion.speedKmh / 3.6
  motion.wander += -motion.wander * (dtS / 60) + nextGaussian(random) * 0.02 * Math.sqrt(dtS)
  let targetMps = targetKmh(profile, state, leg) / 3.6
  const toStopM = stop.atM - motion.alongM
  targetMps = Math.min(targetMps, Math.sqrt(Math.max(0, 2 * profile.driver.brakeMps2 * (toStopM - 2))))
  if (nextUnit(random) < (profile.driver.harshBrakesPerHour / 3600) * dtS && motion.speedKmh > 30) motion.harshUntilMs = state.atMs + 3_000
  const harsh = state.atMs < motion.harshUntilMs
  const upMps2 = Math.min(profile.driver.maxAccelMps2 * (1 - 0.5 * Math.min(1, speedMps / 30)), powerLimitMps2)
  const wanted = (targetMps - speedMps) / dtS
  const accel = harsh ? -HARSH_BRAKE_MPS2 : Math.min(upMps2, Math.max(-profile.driver.brakeMps2 * 1.25, wanted))
  const nextMps = Math.max(0, speedMps + accel * dtS)
  motion.accelMps2 = (nextMps - speedMps) / dtS
  noteHarshBraking(state, speedMps)

  const movedM = ((speedMps + nextMps) / 2) * dtS
  motion.speedKmh = nextMps * 3.6
  motion.headingDeg = leg.headingDeg
  motion.alongM += movedM
  state.odometerKm += movedM / 1000
  if (motion.alongM >= stop.atM - 3 || (nextMps < 0.7 && toStopM < 15)) return arrive(profile, state, leg, stop.kind)
  return undefined
}

function noteHarshBraking(state: VehicleState, speedMps: number): void {
  if (state.motion.accelMps2 >= -HARSH_BRAKING_EVENT_MPS2 || speedMps < 3) return
  if (!state.events.includes('harsh_braking')) state.events.push('harsh_braking')
}

function targetKmh(profile: VehicleProfile, state: VehicleState, leg: Leg): number {
  const free = LIMIT_KMH[leg.roadClass] * profile.driver.limitShare * (1 + state.motion.wander)
  const capped = Math.min(free, profile.model.maxSpeedKmh) * trafficShare(profile.region, state.atMs)
  // A driver with a red lamp, or an engine that derates itself above 113 °C (Perkins 1200F: 75 %), creeps on.
  if (state.engine.coolantC > 113) return Math.min(capped, LIMP_KMH)
  if (state.codes.some((code) => code.lamp === 'red')) return Math.min(capped, RED_LAMP_LIMIT_KMH)
  return capped
}

function lightSpacing(leg: Leg, state: VehicleState): number {
  const lights = LIGHTS[leg.roadClass]
  return lights ? lights.spacingM * nextBetween(state.random, 0.6, 1.4) : Number.MAX_SAFE_INTEGER / 4
}

/** A leg is passed without stopping unless it is the last of the path. */
function nextStop(motion: Motion, leg: Leg): { atM: number; kind: StopKind | 'pass' } {
  const last = motion.path.length === 2
  if (motion.nextLightM < leg.lengthM - 60) return { atM: motion.nextLightM, kind: 'light' }
  if (last) return { atM: leg.lengthM, kind: motion.path[1] === DEPOT && motion.deliveries.length === 0 ? 'depot' : 'delivery' }
  return { atM: leg.lengthM + 200, kind: 'pass' }
}

function arrive(profile: VehicleProfile, state: VehicleState, leg: Leg, kind: StopKind | 'pass'): StopKind | undefined {
  const { motion } = state
  if (kind === 'light') {
    motion.nextLightM = motion.alongM + lightSpacing(leg, state)
    if (nextUnit(state.random) >= (LIGHTS[leg.roadClass]?.redShare ?? 0)) return undefined
    motion.speedKmh = 0
    return 'light'
  }
  motion.path.shift()
  motion.alongM = 0
  motion.nextLightM = Number.MAX_SAFE_INTEGER
  if (kind === 'pass') return undefined
  motion.speedKmh = 0
  motion.deliveries = motion.deliveries.filter((place) => place !== motion.path[0])
  motion.loadKg *= 0.5
  const next = motion.deliveries[0]
  if (next !== undefined) routeTo(profile, motion, next)
  else if (motion.path[0] !== DEPOT) routeTo(profile, motion, DEPOT)
  return kind
}
