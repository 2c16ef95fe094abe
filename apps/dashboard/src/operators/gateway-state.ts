import type { GatewayConnection } from '@roadworthy/contracts/sim-billing/gateway-connections'
import { shortTime } from '../text/format.ts'
import { t } from '../text/translate.ts'
import type { OperatorState } from './operator-state.ts'

type Connection = Pick<GatewayConnection, 'enabled' | 'last_event_at' | 'last_refused_at' | 'last_refusal' | 'refused_callbacks'>

/** A refusal counts as long as nothing that is the gateway's has come since. */
export function gatewayState(connection: Connection): OperatorState {
  const { enabled, last_event_at: eventAt, last_refused_at: refusedAt, last_refusal: refusal, refused_callbacks: count } = connection
  const isRefusing = refusedAt !== null && (eventAt === null || refusedAt > eventAt)
  if (isRefusing) {
    const why =
      refusal === 'bad_signature'
        ? t('Its signature is not right: check the webhook secret.')
        : t('The reason: {reason}.', { reason: refusal ?? t('unknown') })
    const times = t('{count, plural, one {A message was refused, at {time}.} other {# messages were refused, the last at {time}.}}', {
      count,
      time: shortTime(refusedAt),
    })
    return { kind: 'failing', label: t('Messages are refused'), text: `${times} ${why}` }
  }
  if (!enabled) {
    const text = t('No new payment goes through it. Refunds, and payments that are under way, are served.')
    return { kind: 'paused', label: t('Paused'), text }
  }
  if (eventAt === null) {
    const text = t('New payments go through it. No message of the gateway has come yet; until they do, it is asked instead.')
    return { kind: 'waiting', label: t('No message yet'), text }
  }
  return { kind: 'working', label: t('Working'), text: t('New payments go through it, and the gateway reports what becomes of them.') }
}
