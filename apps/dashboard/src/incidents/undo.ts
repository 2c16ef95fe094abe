import type { Incident, IncidentChange } from '@roadworthy/contracts/platform-v1/incidents'
import { useQueryClient } from '@tanstack/react-query'
import { renewIncidents, sendChange } from '../api/incident-queries.ts'
import { showNotice } from '../shell/notice.ts'

/** Back to the status it has now. */
export function undoOf({ status, snoozedUntil }: Pick<Incident, 'status' | 'snoozedUntil'>): IncidentChange {
  if (status === 'snoozed' && snoozedUntil !== null) return { status, snoozedUntil }
  return { status: status === 'acknowledged' ? 'acknowledged' : 'open' }
}

/** Shows what was done, with a button that takes it back. */
export function useUndoNotice(): (text: string, incidentId: string, undo: IncidentChange) => void {
  const queryClient = useQueryClient()
  return (text, incidentId, undo) =>
    showNotice({
      text,
      undo: async () => {
        await sendChange(incidentId, undo)
        await renewIncidents(queryClient)
      },
    })
}
