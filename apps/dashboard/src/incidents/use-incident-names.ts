import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { useQueries, useQuery } from '@tanstack/react-query'
import { assigneesQuery } from '../api/incident-queries.ts'
import { vehicleNameQuery } from '../api/vehicle-names.ts'
import { useSession } from '../session/use-session.ts'
import { t } from '../text/translate.ts'
import { type IncidentSubject, incidentSubject } from './incident-subject.ts'

export type IncidentNames = {
  readonly subjectOf: (incident: Incident) => IncidentSubject
  /** Of a user or a key. A person of one sub-client does not see who else there is. */
  readonly personOf: (id: string) => string
}

export function useIncidentNames(incidents: readonly Incident[]): IncidentNames {
  const vehicleIds = [...new Set(incidents.flatMap(({ vehicleId }) => vehicleId ?? []))]
  const names = useQueries({ queries: vehicleIds.map(vehicleNameQuery) })
  const people = useQuery(assigneesQuery).data?.assignees ?? []
  const self = useSession()
  const vehicleNames = new Map(vehicleIds.map((vehicleId, index) => [vehicleId, names[index]?.data ?? vehicleId]))
  const emails = new Map(people.map(({ id, email }) => [id, email]))
  return {
    subjectOf: (incident) => incidentSubject(incident, vehicleNames),
    personOf: (id) =>
      id === self?.userId ? t('you') : (emails.get(id) ?? (id.startsWith('key-') ? t('API key {id}', { id }) : t('somebody else'))),
  }
}
