// A fleet that drives for people who have no device at hand yet.

import { type Static, Type } from 'typebox'

export const DemoFleet = Type.Object(
  {
    state: Type.Enum(['unavailable', 'off', 'running', 'always'], {
      type: 'string',
      description:
        '`off`: it can be started. `running`: it was started here and can be stopped. `always`: it runs with the service, by the setting DEMO. ' +
        '`unavailable`: this service has none to start, or not for this reseller.',
    }),
    vehicles: Type.Integer({ minimum: 1, description: 'How many vehicles drive in it.' }),
  },
  { title: 'DemoFleet', description: 'The demo fleet, and whether it drives.', examples: [{ state: 'off', vehicles: 24 }] },
)
export type DemoFleet = Static<typeof DemoFleet>

export const ChangeDemoFleetRequest = Type.Object(
  { running: Type.Boolean({ description: 'Whether its vehicles drive from now on.' }) },
  { title: 'ChangeDemoFleetRequest', examples: [{ running: true }] },
)
export type ChangeDemoFleetRequest = Static<typeof ChangeDemoFleetRequest>
