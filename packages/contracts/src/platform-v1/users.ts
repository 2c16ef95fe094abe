// Spec gap §5.4: the people who sign in to the dashboard of a reseller.

import { type Static, Type } from 'typebox'
import { nullable, Pagination, timestamp, timestampExample, total } from '../wire-fields.ts'
import { language, units } from '../wire-languages.ts'

export const userRole = Type.Enum(['owner', 'member', 'viewer', 'sub_client_viewer'], {
  type: 'string',
  description:
    'An `owner` may do everything; a `member` everything but manage keys, people and brands; a `viewer` looks and changes nothing; a ' +
    '`sub_client_viewer` does so within one sub-client.',
})
const subClientId = Type.String({
  pattern: '^[a-z0-9-]{1,64}$',
  description: 'The only sub-client that the person sees. For a `sub_client_viewer`, and for nobody else.',
})
const email = Type.String({ minLength: 3, maxLength: 254, description: 'What the person signs in with. Kept in lower case.' })

const userExample = {
  id: 'usr-4f8s1k6d3h9j2l5z7x0c',
  email: 'anna@example.com',
  role: 'member',
  subClientId: null,
  status: 'active',
  language: 'de',
  units: 'metric',
  createdAt: timestampExample,
} as const

export const User = Type.Object(
  {
    id: Type.String(),
    email,
    role: userRole,
    subClientId: nullable(subClientId),
    status: Type.Enum(['invited', 'active', 'deactivated'], {
      type: 'string',
      description: '`invited` until the person has set a password. A `deactivated` person cannot sign in.',
    }),
    language: nullable(language('In which the person reads the dashboard and is written to. Null: never chosen; mails are English.')),
    units: nullable(units('Of the person. Null: never chosen; mails are metric.')),
    createdAt: timestamp('When the person was invited or made.'),
  },
  { title: 'User', examples: [userExample] },
)
export type User = Static<typeof User>

export const UserParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) })

export const UserAnswer = Type.Object(
  { user: User },
  { title: 'UserAnswer', description: 'The person.', examples: [{ user: userExample }] },
)

export const RemovedUser = Type.Object(
  { id: Type.String() },
  { title: 'RemovedUser', description: 'The person is gone; what they did stays in the audit log.', examples: [{ id: userExample.id }] },
)

export const UserList = Type.Object(
  { total, users: Type.Array(User), pagination: Pagination },
  { title: 'UserList', description: 'A page of people, oldest first.' },
)

export const InviteUserRequest = Type.Object(
  {
    ...{ email, role: userRole, subClientId: Type.Optional(nullable(subClientId)) },
    language: Type.Optional(
      language(
        'Of the invitation, and of the person until they choose another. Left out: that of the person who invites; English of a program.',
      ),
    ),
  },
  { title: 'InviteUserRequest', additionalProperties: false, examples: [{ email: 'anna@example.com', role: 'member' }] },
)

export const InvitedUser = Type.Object(
  {
    user: User,
    invitation: Type.Object(
      {
        url: nullable(
          Type.String({
            description:
              'The link that lets the person set a password, to be handed over. It is shown this once, and not at all where it was mailed: then only who reads the mailbox can use it.',
          }),
        ),
        mailed: Type.Boolean({ description: 'Whether a mail server took it.' }),
        expiresAt: timestamp('Until when the link works.'),
      },
      { title: 'Invitation', examples: [{ url: null, mailed: true, expiresAt: timestampExample }] },
    ),
  },
  { title: 'InvitedUser', description: 'The person, and how the invitation reaches them.' },
)

export const ChangeUserRequest = Type.Object(
  {
    role: Type.Optional(userRole),
    subClientId: Type.Optional(nullable(subClientId)),
    status: Type.Optional(Type.Enum(['active', 'deactivated'], { type: 'string' })),
  },
  { title: 'ChangeUserRequest', additionalProperties: false, minProperties: 1, examples: [{ role: 'viewer' }] },
)
