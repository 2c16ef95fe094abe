// What to do about a component, and by when.

import { type Static, Type } from 'typebox'

export const adviceActs = ['stop', 'now', 'plan', 'next_service', 'run_on'] as const

export const Advice = Type.Object(
  {
    act: Type.Enum(adviceActs, {
      type: 'string',
      description: '`stop` driving, go to a workshop `now`, `plan` the work, have it done at the `next_service`, `run_on`.',
    }),
    by: Type.Optional(
      Type.String({
        format: 'date',
        description:
          'By which day (UTC): the early end of the interval, counted from the reading that was judged, less the lead time of the reseller, and never before that reading. Today for `stop` and `now`, none for `run_on`.',
      }),
    ),
    byOdometerKm: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The odometer by then, where odometer and daily use are known; the present one for `stop` and `now`.',
      }),
    ),
    interval: Type.Optional(
      Type.Array(Type.Number({ minimum: 0 }), {
        minItems: 2,
        maxItems: 2,
        description: 'The `[p10, p90]` in days that it rests on, where it rests on one.',
      }),
    ),
    what: Type.String({ description: 'What to do.' }),
    why: Type.String({ description: 'What it rests on.' }),
    risk: Type.String({ description: 'What waiting risks.' }),
  },
  { title: 'Advice' },
)
export type Advice = Static<typeof Advice>

export const adviceExample: Advice = {
  act: 'plan',
  by: '2026-02-04',
  byOdometerKm: 171_300,
  interval: [11, 48],
  what: 'Have the brake pads replaced',
  why: 'They have run 41,000 km; half of such pads last 44,000 km',
  risk: 'Worn pads take the discs with them',
}

/** Of the same vehicle, whose coolant is too hot. */
export const stopAdviceExample: Advice = {
  act: 'stop',
  by: '2026-01-31',
  byOdometerKm: 169_200,
  interval: [0, 7],
  what: 'Stop when safe, let the engine cool, then check coolant level, leaks, fan, thermostat and water pump',
  why: 'Coolant temperature 116 °C is above 114 °C for 40 s',
  risk: 'Heat ruins the head gasket, and then the engine',
}

export const AdviceByComponent = Type.Record(Type.String(), Advice, {
  description: 'Only of components that need advice; the others run on.',
})
