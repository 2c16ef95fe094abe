import { Select } from '@mantine/core'
import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { assigneesQuery, useChangeIncident } from '../api/incident-queries.ts'
import { vehicleQuery } from '../api/queries.ts'
import { useSession } from '../session/use-session.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { t } from '../text/translate.ts'
import { useUndoNotice } from './undo.ts'
import type { IncidentNames } from './use-incident-names.ts'

type AssignDialogProps = { incident: Incident; names: IncidentNames; onClose: () => void }

export function AssignDialog({ incident, names, onClose }: AssignDialogProps) {
  const { id, title, vehicleId, assignee } = incident
  const change = useChangeIncident()
  const notice = useUndoNotice()
  const self = useSession()
  const people = useQuery(assigneesQuery).data?.assignees ?? []
  const owner = useQuery({ ...vehicleQuery(vehicleId ?? ''), enabled: vehicleId !== null }).data?.subClientId ?? null
  const [chosen, setChosen] = useState(assignee ?? self?.userId ?? null)
  const confirm = () => {
    const onDone = () => {
      notice(
        chosen === null
          ? t('Assigned to nobody: {title}', { title })
          : t('Assigned to {person}: {title}', { person: names.personOf(chosen), title }),
        id,
        { assignee },
      )
      onClose()
    }
    change.mutate({ id, change: { assignee: chosen }, onDone })
  }
  // The service refuses people who do not see the incident.
  const offered = people.filter(({ subClientId }) => subClientId === null || subClientId === owner)
  return (
    <Confirmation
      title={t('Assign: {title}', { title })}
      text={t('The person is named on the incident. Its status stays as it is.')}
      label={t('Assign')}
      change={change}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Select
        label={t('Person')}
        placeholder={t('Nobody')}
        searchable
        clearable
        limit={50}
        value={chosen}
        onChange={setChosen}
        data={offered.map((person) => ({
          value: person.id,
          label: person.id === self?.userId ? t('{email} (you)', { email: person.email }) : person.email,
        }))}
        nothingFoundMessage={t('Nobody with this name sees the incident')}
      />
    </Confirmation>
  )
}
