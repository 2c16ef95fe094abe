import { Text, TextInput } from '@mantine/core'
import { slugFromName } from '@roadworthy/contracts/sub-client-slug'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCreateSubClient } from '../api/sub-client-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { t } from '../text/translate.ts'

/** The id is made from the name as it is typed, by the rule of the service, until somebody writes another. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateSubClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [ownId, setOwnId] = useState<string>()
  const [email, setEmail] = useState('')
  const id = ownId ?? (name.trim() === '' ? '' : slugFromName(name))
  const confirm = () =>
    create.mutate(
      {
        name: name.trim(),
        ...(ownId === undefined || ownId === '' ? {} : { id: ownId }),
        ...(email.trim() === '' ? {} : { contactEmail: email.trim() }),
      },
      { onSuccess: (made) => void navigate({ to: '/sub-clients/$subClientId', params: { subClientId: made.id } }) },
    )
  return (
    <Confirmation
      title={t('Create a sub-client')}
      text={t('A customer of yours, or a part of the fleet, with devices, people and limits of its own.')}
      label={t('Create')}
      isReady={name.trim() !== ''}
      change={create}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextInput
        label={t('Name')}
        data-autofocus
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t('Id')}
        description={t('In addresses and filters; it never changes')}
        maxLength={64}
        value={id}
        onChange={(event) => setOwnId(event.currentTarget.value === '' ? undefined : event.currentTarget.value.toLowerCase())}
      />
      {ownId === undefined && id !== '' && (
        <Text size="xs" c="dimmed">
          {t('If another sub-client has this id, a number is put behind it.')}
        </Text>
      )}
      <TextInput
        label={t('Contact e-mail')}
        type="email"
        maxLength={200}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
    </Confirmation>
  )
}
