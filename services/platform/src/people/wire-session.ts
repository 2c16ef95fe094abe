import type { Session as WireSession } from '@roadworthy/contracts/platform-v1/session'
import type { Session } from './sessions.sql.ts'

export function toPlatformSession(session: Session): WireSession {
  const { viewing } = session
  return {
    userId: session.userId,
    email: session.email,
    role: session.role,
    subClientId: session.subClientId ?? null,
    viewAs: viewing ?? null,
    language: session.language ?? null,
    units: session.units ?? null,
    resellerSlug: session.resellerId,
    resellerName: session.resellerName,
    timeZone: session.timeZone,
    expiresAt: session.expiresAt.toISOString(),
  }
}
