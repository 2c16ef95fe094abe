// Tokens of phones and trackers that send over HTTP.

import { type Static, Type } from 'typebox'
import { deviceIdExample, trackerTokenExample } from '../external/devices.ts'
import { nullable, timestamp } from '../wire-fields.ts'
import { CredentialsRotate } from './devices.ts'

export const TrackerTokenIssue = Type.Object(
  { graceSeconds: Type.Optional({ ...CredentialsRotate.properties.graceSeconds, description: 'How long the token before works on.' }) },
  { title: 'TrackerTokenIssue', examples: [{ graceSeconds: 3600 }] },
)

export const TrackerTokenIssued = Type.Object(
  {
    id: Type.String({ examples: [deviceIdExample] }),
    trackerToken: Type.String({
      description:
        'The identifier of the device in OsmAnd and Traccar Client, and a part of the address for others. Shown in this answer only.',
      examples: [trackerTokenExample],
    }),
    previousValidUntil: nullable(timestamp('Until when the token before is good; null: no longer, or there was none.')),
  },
  {
    title: 'TrackerTokenIssued',
    description: 'The new token; this is the one time it is shown.',
    examples: [{ id: deviceIdExample, trackerToken: trackerTokenExample, previousValidUntil: null }],
  },
)

export type TrackerTokenIssued = Static<typeof TrackerTokenIssued>

export const TrackerTokenRevoked = Type.Object(
  {
    id: Type.String({ examples: [deviceIdExample] }),
    revoked: Type.Boolean({ description: 'False where there was none.' }),
  },
  {
    title: 'TrackerTokenRevoked',
    description: 'The device has no token.',
    examples: [{ id: deviceIdExample, revoked: true }],
  },
)
