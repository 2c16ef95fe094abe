import type { IncidentStatus } from '../api/incident-queries.ts'
import { t } from '../text/translate.ts'

export function statusName(status: IncidentStatus): string {
  return { open: t('Open'), acknowledged: t('Acknowledged'), snoozed: t('Snoozed'), resolved: t('Resolved') }[status]
}
