// Signing in to the dashboard. Programs use API keys.

import { type Static, Type } from 'typebox'
import { nullable, timestamp, timestampExample } from '../wire-fields.ts'
import { language, units } from '../wire-languages.ts'
import { userRole } from './users.ts'

const sessionExample = {
  userId: 'usr-4f8s1k6d3h9j2l5z7x0c',
  email: 'owner@example.com',
  role: 'owner',
  subClientId: null,
  viewAs: null,
  language: 'de',
  units: 'metric',
  resellerSlug: 'acme',
  resellerName: 'Acme Telematics',
  timeZone: 'Europe/Berlin',
  expiresAt: timestampExample,
}

const ViewAs = Type.Object(
  {
    subClientId: Type.String(),
    subClientName: Type.String(),
    ownRole: { ...userRole, description: 'What the person is again after `DELETE /session/view-as`.' },
  },
  {
    title: 'ViewAs',
    description:
      'Set while a person of the reseller looks as a sub-client. `role` and `subClientId` are then those of a viewer of it; null: they are the person’s own.',
  },
)

const Session = Type.Object(
  {
    userId: Type.String(),
    email: Type.String(),
    role: userRole,
    subClientId: nullable(Type.String({ description: 'The only sub-client that the session sees; null: all of them.' })),
    viewAs: nullable(ViewAs),
    language: nullable(
      language('What the person chose, also while they look as a sub-client. Null: nothing; the dashboard follows the browser.'),
    ),
    units: nullable(units('What the person chose. Null: nothing.')),
    resellerSlug: Type.String(),
    resellerName: Type.String(),
    timeZone: Type.String({ description: 'IANA name of the zone of the reseller, in which its days and months begin.' }),
    expiresAt: timestamp('When it ends unless it is used before.'),
  },
  { title: 'Session', examples: [sessionExample] },
)
export type Session = Static<typeof Session>

/** Nobody being signed in is an answer and not an error: a page asks this before it knows. */
export const SessionAnswer = Type.Object(
  { session: Type.Union([Session, Type.Null()]) },
  { title: 'SessionAnswer', description: 'The session; null when nobody is signed in.', examples: [{ session: sessionExample }] },
)

export const SignInRequest = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: 200 }),
  },
  { title: 'SignInRequest', additionalProperties: false, examples: [{ email: 'owner@example.com', password: 'correct horse battery' }] },
)

export const SignOutQuery = Type.Object({
  everywhere: Type.Optional(Type.Boolean({ default: false, description: 'End every session of the person, not only this one.' })),
})

export const ViewAsRequest = Type.Object(
  {
    subClientId: Type.String({
      pattern: '^[a-z0-9-]{1,64}$',
      description: 'Any sub-client of the reseller, also one that is deactivated.',
    }),
  },
  { title: 'ViewAsRequest', additionalProperties: false, examples: [{ subClientId: 'acme-logistics' }] },
)

export const PreferencesRequest = Type.Object(
  {
    language: Type.Optional(language('Of the dashboard and of what is sent to the person.')),
    units: Type.Optional(units('Of the dashboard and of what is sent to the person.')),
  },
  {
    ...{ title: 'PreferencesRequest', additionalProperties: false, minProperties: 1 },
    examples: [{ language: 'de', units: 'metric' }],
  },
)

const newPassword = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })
const PASSWORD_RULE = '10 to 200 characters; not the e-mail address and none of the commonest passwords.'

export const ChangePasswordRequest = Type.Object(
  { current: Type.String({ minLength: 1, maxLength: 200 }), next: newPassword(PASSWORD_RULE) },
  {
    title: 'ChangePasswordRequest',
    additionalProperties: false,
    examples: [{ current: 'correct horse battery', next: 'staple battery horse' }],
  },
)

export const SetPasswordRequest = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 200, description: 'What stands behind the # of the link.' }),
    password: newPassword(PASSWORD_RULE),
  },
  {
    title: 'SetPasswordRequest',
    additionalProperties: false,
    examples: [{ token: 'Zk3v0Jm8…', password: 'correct horse battery' }],
  },
)

export const PasswordResetRequest = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 254 }) },
  { title: 'PasswordResetRequest', additionalProperties: false, examples: [{ email: 'owner@example.com' }] },
)

export const PasswordResetAnswer = Type.Object(
  { message: Type.String() },
  {
    title: 'PasswordResetAnswer',
    description: 'The same whether there is such an account or not.',
    examples: [{ message: 'If there is an account with this address, a link to set a new password is on its way.' }],
  },
)
