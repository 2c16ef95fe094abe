// What a person pasted, as a reading.

export type Pasted = { readonly reading: Readonly<Record<string, unknown>> } | { readonly fault: 'no JSON' | 'no object' }

export function readPasted(text: string): Pasted {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { reading: value as Record<string, unknown> } : { fault: 'no object' }
  } catch {
    return { fault: 'no JSON' }
  }
}

/** Readings as devices of each kind write them, with an engine that runs hot. */
export const examples = {
  external: { rpm: 1850, speed: 62, coolant_temp: 116, oil_pressure: 42, battery_voltage: 13.9, fuel_level: 48, odometer: 171_000 },
  obd: { engine_rpm: 2100, vehicleSpeed: 80, ect: 96, intake_air_temp: 31, throttle: 22, battery_voltage: 12.1, dtc: ['P0128'] },
  j1939: {
    ...{ engine_speed: 1350, vehicleSpeed: 84, coolant: 88, engineOilTemp: 104, battery_voltage: 27.8, obdDistance: 412_350 },
    ...{ red_stop_lamp: 'LAMP_OFF', amber_warning_lamp: 'LAMP_ON', coolnt_level: 71 },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, unknown>>>>
