import type { EventRecorder } from '../events/relay.ts'
import { insertDeliveriesAcrossResellers } from './deliveries.sql.ts'
import { isNotifiedOf } from './endpoint.ts'
import { selectInterestsAcrossResellers } from './endpoints.sql.ts'

/** Stores which endpoints are to be sent which events, in the transaction that gives the events their place in the log. Sends nothing. */
export function createDispatcher({ now }: { now: () => Date }): EventRecorder {
  return async (db, events) => {
    const interests = await selectInterestsAcrossResellers(db, [...new Set(events.map(({ resellerId }) => resellerId))])
    const deliveries = events.flatMap((event) =>
      interests
        .filter((interest) => interest.resellerId === event.resellerId && isNotifiedOf(interest, event))
        .map(({ endpointId }) => ({ endpointId, event })),
    )
    await insertDeliveriesAcrossResellers(db, deliveries, { at: now(), renew: false })
  }
}
