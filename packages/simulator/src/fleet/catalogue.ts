// The vehicles and drivers a fleet is made of. Figures are rounded from makers' data sheets of the model's class, not of one exact car.

export type VehicleModel = {
  readonly make: string
  readonly model: string
  /** World manufacturer identifier, the first three characters of the VIN. */
  readonly makerCode: string
  readonly kind: 'car' | 'van' | 'truck'
  readonly fuel: 'petrol' | 'diesel'
  readonly massKg: number
  readonly payloadKg: number
  /** Drag coefficient × frontal area. */
  readonly dragAreaM2: number
  readonly rollingCoefficient: number
  readonly maxPowerKw: number
  readonly idleRpm: number
  readonly upshiftRpm: number
  readonly downshiftRpm: number
  /** Engine speed per road speed in each gear, first gear first. */
  readonly rpmPerKmh: readonly number[]
  readonly maxSpeedKmh: number
  readonly tankL: number
  readonly systemV: 12 | 24
  readonly batteryAh: number
  readonly alternatorA: number
  /** Metal and coolant that warm up together. */
  readonly heatCapacityKjPerK: number
  /** Working and resting days together, as the `shifts` schedule comes out. */
  readonly dutyKmPerDay: number
}

const CAR = {
  kind: 'car',
  fuel: 'petrol',
  rollingCoefficient: 0.011,
  idleRpm: 750,
  upshiftRpm: 2500,
  downshiftRpm: 1400,
  rpmPerKmh: [125, 72, 48, 36, 28.5, 24],
  maxSpeedKmh: 130,
  systemV: 12,
  batteryAh: 60,
  alternatorA: 120,
  heatCapacityKjPerK: 80,
  dutyKmPerDay: 220,
} as const

const VAN = {
  kind: 'van',
  fuel: 'diesel',
  rollingCoefficient: 0.011,
  idleRpm: 800,
  upshiftRpm: 2300,
  downshiftRpm: 1250,
  rpmPerKmh: [130, 70, 45, 32, 25, 20.5],
  maxSpeedKmh: 115,
  systemV: 12,
  batteryAh: 92,
  alternatorA: 180,
  heatCapacityKjPerK: 120,
  dutyKmPerDay: 250,
} as const

const TRUCK = {
  kind: 'truck',
  fuel: 'diesel',
  rollingCoefficient: 0.0065,
  idleRpm: 600,
  upshiftRpm: 1550,
  downshiftRpm: 1000,
  rpmPerKmh: [150, 105, 72, 50, 36, 25.5, 19.5, 15.8],
  // Speed limiter of directive 92/6/EEC.
  maxSpeedKmh: 88,
  systemV: 24,
  batteryAh: 200,
  alternatorA: 110,
  heatCapacityKjPerK: 420,
  dutyKmPerDay: 290,
} as const

export const vehicleModels: readonly VehicleModel[] = [
  { ...VAN, make: 'Ford', model: 'Transit', makerCode: 'WF0', massKg: 2150, payloadKg: 1200, dragAreaM2: 1.75, maxPowerKw: 96, tankL: 70 },
  { ...CAR, make: 'Toyota', model: 'Corolla', makerCode: 'JTD', massKg: 1350, payloadKg: 350, dragAreaM2: 0.65, maxPowerKw: 92, tankL: 50 },
  {
    ...VAN,
    make: 'Mercedes-Benz',
    model: 'Sprinter',
    makerCode: 'WDB',
    massKg: 2300,
    payloadKg: 1150,
    dragAreaM2: 1.8,
    maxPowerKw: 110,
    tankL: 71,
  },
  {
    ...TRUCK,
    make: 'Volvo',
    model: 'FH 460',
    makerCode: 'YV2',
    massKg: 15200,
    payloadKg: 23000,
    dragAreaM2: 5.6,
    maxPowerKw: 338,
    tankL: 480,
  },
  { ...VAN, make: 'Renault', model: 'Master', makerCode: 'VF1', massKg: 2050, payloadKg: 1300, dragAreaM2: 1.8, maxPowerKw: 99, tankL: 80 },
  { ...CAR, make: 'Seat', model: 'Leon', makerCode: 'VSS', massKg: 1320, payloadKg: 380, dragAreaM2: 0.63, maxPowerKw: 96, tankL: 50 },
  {
    ...TRUCK,
    make: 'Scania',
    model: 'R 450',
    makerCode: 'YS2',
    massKg: 14900,
    payloadKg: 22500,
    dragAreaM2: 5.5,
    maxPowerKw: 331,
    tankL: 450,
  },
  {
    ...VAN,
    make: 'Volkswagen',
    model: 'Crafter',
    makerCode: 'WV1',
    massKg: 2250,
    payloadKg: 1200,
    dragAreaM2: 1.8,
    maxPowerKw: 103,
    tankL: 75,
  },
]

export type Driver = {
  readonly style: 'calm' | 'ordinary' | 'brisk'
  readonly maxAccelMps2: number
  readonly brakeMps2: number
  /** Share of the speed limit the driver aims at on a free road. */
  readonly limitShare: number
  /** Emergency stops per hour of driving. */
  readonly harshBrakesPerHour: number
}

export const drivers: readonly Driver[] = [
  { style: 'calm', maxAccelMps2: 1.0, brakeMps2: 1.2, limitShare: 0.92, harshBrakesPerHour: 0.1 },
  { style: 'ordinary', maxAccelMps2: 1.4, brakeMps2: 1.6, limitShare: 0.97, harshBrakesPerHour: 0.4 },
  { style: 'brisk', maxAccelMps2: 2.0, brakeMps2: 2.3, limitShare: 1.03, harshBrakesPerHour: 1.5 },
]
