import { Select, TextInput } from '@mantine/core'
import type { VehicleGroup } from '@roadworthy/contracts/platform-v1/vehicle-groups'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useChangeGroup, useCreateGroup, useRemoveGroup } from '../api/group-queries.ts'
import { subClientChoicesQuery } from '../api/sub-client-queries.ts'
import { VehiclesSelect } from '../fleet/vehicles-select.tsx'
import { Confirmation } from '../shell/confirmation.tsx'
import { t } from '../text/translate.ts'

const MAX_NAME_CHARACTERS = 120
const MAX_OPTIONS = 50
/** As the service takes them in one request. */
export const MAX_AT_ONCE = 500

export function CreateGroupDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateGroup()
  const navigate = useNavigate()
  const subClients = useQuery(subClientChoicesQuery).data?.subClients ?? []
  const [name, setName] = useState('')
  const [subClientId, setSubClientId] = useState<string | null>(null)
  const [vehicleIds, setVehicleIds] = useState<string[]>([])
  const confirm = () =>
    create.mutate(
      { name: name.trim(), subClientId, vehicleIds },
      { onSuccess: ({ id }) => void navigate({ to: '/groups/$groupId', params: { groupId: id } }) },
    )
  return (
    <Confirmation
      title={t('New group')}
      text={t('Vehicles under a name, such as a depot or a contract. A vehicle can be in several groups.')}
      label={t('Create')}
      change={create}
      isReady={name.trim() !== ''}
      onConfirm={confirm}
      onClose={onClose}
    >
      <NameField name={name} onChange={setName} />
      {subClients.length > 0 && (
        <Select
          label={t('Of which sub-client')}
          description={t('Its people see the group too. It stays as it is chosen now.')}
          placeholder={t('The whole fleet')}
          clearable
          searchable
          limit={MAX_OPTIONS}
          value={subClientId}
          data={subClients.map((each) => ({ value: each.id, label: each.name }))}
          onChange={(value) => {
            setSubClientId(value)
            setVehicleIds([])
          }}
        />
      )}
      <VehiclesSelect
        label={t('Vehicles')}
        placeholder={vehicleIds.length === 0 ? t('Plate or name') : ''}
        clearable
        maxValues={MAX_AT_ONCE}
        value={vehicleIds}
        isOffered={(vehicle) => subClientId === null || vehicle.subClientId === subClientId}
        onChange={setVehicleIds}
      />
    </Confirmation>
  )
}

export function RenameGroupDialog({ group, onClose }: { group: VehicleGroup; onClose: () => void }) {
  const change = useChangeGroup(group.id)
  const [name, setName] = useState(group.name)
  return (
    <Confirmation
      title={t('Rename the group {name}', { name: group.name })}
      text={t('Notification rules about it go on.')}
      label={t('Save')}
      change={change}
      isReady={name.trim() !== ''}
      onConfirm={() => change.mutate({ name: name.trim() }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <NameField name={name} onChange={setName} />
    </Confirmation>
  )
}

export function DeleteGroupDialog({ group, onClose }: { group: VehicleGroup; onClose: () => void }) {
  const remove = useRemoveGroup(group.id)
  const navigate = useNavigate()
  return (
    <Confirmation
      title={t('Delete the group {name}', { name: group.name })}
      text={t('Its vehicles stay as they are. A group that a notification rule is about cannot be deleted; change the rule first.')}
      label={t('Delete')}
      color="red"
      change={remove}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/groups' }) })}
      onClose={onClose}
    />
  )
}

function NameField({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  return (
    <TextInput
      label={t('Name')}
      required
      data-autofocus
      maxLength={MAX_NAME_CHARACTERS}
      autoComplete="off"
      value={name}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
