import { type Static, Type } from 'typebox'

/** Answer of `GET /api/external/health` (spec §4.1, §9). */
export const ExternalHealth = Type.Object(
  {
    status: Type.Literal('healthy', { description: 'The API answers.' }),
    version: Type.String({ description: 'Of the service.', examples: ['2.0.0'] }),
    scopes: Type.Array(Type.String(), { description: 'Scopes that a key can have.', examples: [['devices:read', 'devices:write', '*']] }),
  },
  { title: 'ExternalHealth', description: 'The API answers.' },
)
export type ExternalHealth = Static<typeof ExternalHealth>
