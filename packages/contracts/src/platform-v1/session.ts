// Signing in to the dashboard. Programs use API keys.

import { type Static, Type } from 'typebox'
import { nullable, timestamp, timestampExample } from '../wire-fields.ts'
import { userRole } from './users.ts'

const sessionExample = {
  userId: 'usr-4f8s1k6d3h9j2l5z7x0c',
  email: 'owner@example.com',
  role: 'owner',
  subClientId: null,
  resellerSlug: 'acme',
  resellerName: 'Acme Telematics',
  expiresAt: timestampExample,
}

const Session = Type.Object(
  {
    userId: Type.String(),
    email: Type.String(),
    role: userRole,
    subClientId: nullable(Type.String({ description: 'The only sub-client that the person sees; null: all of them.' })),
    resellerSlug: Type.String(),
    resellerName: Type.String(),
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
