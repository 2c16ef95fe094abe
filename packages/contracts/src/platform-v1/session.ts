// Signing in to the dashboard. Programs use API keys.

import { type Static, Type } from 'typebox'
import { timestamp, timestampExample } from '../wire-fields.ts'

const sessionExample = {
  userId: 'usr-4f8s1k6d3h9j2l5z7x0c',
  email: 'owner@example.com',
  role: 'owner',
  resellerSlug: 'acme',
  resellerName: 'Acme Telematics',
  expiresAt: timestampExample,
}

const Session = Type.Object(
  {
    userId: Type.String(),
    email: Type.String(),
    role: Type.Enum(['owner', 'member', 'viewer'], { type: 'string', description: 'A `viewer` changes nothing.' }),
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
