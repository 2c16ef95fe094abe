// Spec gap §4.2: who changed what, on whatever surface.

import { type Static, Type } from 'typebox'
import { nullable, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'

/** Printable ASCII, as all ids are. */
const text = (description: string) => Type.Optional(Type.String({ pattern: '^[\\x20-\\x7e]{1,200}$', description }))

export const AuditListQuery = Type.Object({
  actor: text('Only what this key, user or other actor did, by its id.'),
  action: text('Only this action, such as `device.decommissioned`.'),
  objectId: text('Only what was done to this object.'),
  from: text('Start of the range, included; RFC 3339 with an offset.'),
  to: text('End of the range, not included; RFC 3339 with an offset.'),
  ...pageQuery,
})

export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    at: timestamp('When it happened.'),
    actor: Type.Object(
      {
        type: Type.Enum(['key', 'user', 'cli', 'system', 'anonymous'], {
          type: 'string',
          description:
            'An API key, a person who is signed in, the operator on the command line, the service itself, or somebody who did not sign in.',
        }),
        id: Type.String({ description: 'Of the key or user; for `cli` the account of the operating system.' }),
        name: nullable(Type.String({ description: 'What the key was called, or the address of the person, at that time.' })),
      },
      { title: 'AuditActor', examples: [{ type: 'user', id: 'usr-4f8s1k6d3h9j2l5z7x0c', name: 'owner@example.com' }] },
    ),
    action: Type.String({ description: 'The kind of object, a dot, and what became of it.' }),
    objectId: Type.String({ description: 'The device, vehicle, key, user, … that it was done to.' }),
    subClientId: nullable(Type.String({ description: 'Whose the object is, or was.' })),
    requestId: nullable(Type.String({ description: '`X-Request-Id` of the request.' })),
    address: nullable(Type.String({ description: 'IP address that the request came from.' })),
    changes: Type.Record(
      Type.String(),
      Type.Object(
        { from: Type.Optional(Type.Unknown()), to: Type.Optional(Type.Unknown()) },
        { title: 'FieldChange', examples: [{ from: 'active', to: 'suspended' }] },
      ),
      { description: 'The fields that changed, each with what it was and is. A long value is cut; of a secret neither is kept.' },
    ),
  },
  {
    title: 'AuditEntry',
    examples: [
      {
        id: 'aud-1f7c5b0k2s9d4m8x6v3n',
        at: timestampExample,
        actor: { type: 'user', id: 'usr-4f8s1k6d3h9j2l5z7x0c', name: 'owner@example.com' },
        action: 'device.updated',
        objectId: 'dev-8c2k5x9m1v4b7n3s6d0f',
        subClientId: 'north-depot',
        requestId: 'b5a1c9e2-6f0e-4f3c-9c1d-2f7a0d5c8e11',
        address: '203.0.113.7',
        changes: { status: { from: 'active', to: 'suspended' } },
      },
    ],
  },
)
export type AuditEntry = Static<typeof AuditEntry>

export const AuditList = Type.Object(
  {
    total,
    entries: Type.Array(AuditEntry),
    names: Type.Record(Type.String(), Type.String(), {
      description:
        'What the devices, vehicles, incidents, SIMs and webhooks that these entries are about, or name in their changes, are called now, by their ids: an incident by its title, a SIM by its ICCID, a webhook by its address. One that has no name is left out.',
      examples: [{ 'dev-8c2k5x9m1v4b7n3s6d0f': 'Tracker of truck 12', 'sim-3h6j9l2m5n8p1q4r7s0t': '8949020000012345678' }],
    }),
    pagination: Pagination,
  },
  { title: 'AuditList', description: 'A page of the log, newest first.' },
)
