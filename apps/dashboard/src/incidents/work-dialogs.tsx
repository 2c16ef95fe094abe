import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import type { Maintenance } from '@roadworthy/contracts/platform-v1/maintenance'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '../api/client.ts'
import { plannedWorkQuery, renewIncidents, sendChange } from '../api/incident-queries.ts'
import { CompleteWorkDialog } from '../maintenance/complete-work-dialog.tsx'
import { PlanWorkDialog } from '../maintenance/plan-work-dialog.tsx'
import { showNotice } from '../shell/notice.ts'
import { t } from '../text/translate.ts'
import { plannedDay, workSubject } from './incident-work.ts'

export type WorkDialogProps = { incident: Incident & { vehicleId: string }; onClose: () => void }

/** Somebody is at an incident whose work is planned, so it is acknowledged. */
export function PlanIncidentWork({ incident, onClose }: WorkDialogProps) {
  const { id, title, vehicleId, component, recommendation, status, advice } = incident
  const queryClient = useQueryClient()
  const acknowledge = async ({ id: maintenanceId }: Maintenance) => {
    const undo = async () => {
      await send('DELETE', `/maintenance/${encodeURIComponent(maintenanceId)}`)
      if (status === 'open') await sendChange(id, { status: 'open' })
      await renewIncidents(queryClient)
    }
    if (status === 'open') await sendChange(id, { status: 'acknowledged' })
    showNotice({ text: t('Work planned: {title}', { title }), undo })
    await renewIncidents(queryClient)
  }
  const subject = { vehicleId, component, notes: recommendation, day: plannedDay(advice?.by, new Date()) }
  return <PlanWorkDialog subject={subject} onPlanned={(work) => orSay(acknowledge(work), title)} onClose={onClose} />
}

/** The work ends by itself what it can of the incident; what is left of it ends with the work as the reason. */
export function RecordIncidentWork({ incident, onClose }: WorkDialogProps) {
  const queryClient = useQueryClient()
  const planned = useQuery(plannedWorkQuery(incident))
  const resolve = async ({ id: maintenanceId }: Maintenance) => {
    await sendChange(incident.id, { status: 'resolved', resolution: { reason: 'work_done', maintenanceId } })
    showNotice({ text: t('Work on record, and resolved: {title}', { title: incident.title }) })
    await renewIncidents(queryClient)
  }
  // What the dialog asks for depends on whether the work was planned.
  if (planned.isPending) return null
  const subject = workSubject(incident, planned.data?.maintenance ?? [])
  return <CompleteWorkDialog subject={subject} onCompleted={(work) => orSay(resolve(work), incident.title)} onClose={onClose} />
}

/** The work is on record whether or not the incident could be moved. */
function orSay(moved: Promise<void>, title: string): void {
  moved.catch((error: Error) =>
    showNotice({ text: t('The work is on record, but “{title}” stays as it is. {message}', { title, message: error.message }) }),
  )
}
