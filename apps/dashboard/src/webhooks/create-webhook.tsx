import { Select, TextInput } from '@mantine/core'
import type { EventType } from '@roadworthy/contracts/webhooks/events'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { subClientChoicesQuery } from '../api/sub-client-queries.ts'
import { useCreateWebhook } from '../api/webhook-queries.ts'
import { useIsOfReseller } from '../session/use-session.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { ShownOnce } from '../shell/shown-once.tsx'
import { t } from '../text/translate.ts'
import { EventChoice } from './event-choice.tsx'
import { HeaderField } from './header-field.tsx'
import { readHeaderLines } from './header-lines.ts'

export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const create = useCreateWebhook()
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [types, setTypes] = useState<readonly EventType[] | null>(null)
  const [subClientId, setSubClientId] = useState<string | null>(null)
  const [headerText, setHeaderText] = useState('')
  const read = readHeaderLines(headerText)
  if (create.data !== undefined) return <NewSecret secret={create.data.secret} onStored={onClose} />
  const confirm = () => {
    if (!('headers' in read)) return
    create.mutate({
      url: url.trim(),
      description: description.trim(),
      eventTypes: types === null ? null : [...types],
      subClientId,
      ...read,
    })
  }
  return (
    <Confirmation
      title={t('New endpoint')}
      text={t('An address of yours that the service calls. Its signing secret is shown once, when it is made.')}
      label={t('Make the endpoint')}
      change={create}
      isReady={url.trim() !== '' && types?.length !== 0 && 'headers' in read}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextInput
        label={t('URL')}
        description={t('https, and a public address.')}
        placeholder="https://hooks.example.com/roadworthy"
        type="url"
        maxLength={2_000}
        required
        data-autofocus
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <TextInput
        label={t('Description')}
        maxLength={500}
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <EventChoice types={types} onChange={setTypes} />
      <SubClientField value={subClientId} onChange={setSubClientId} />
      <HeaderField text={headerText} onChange={setHeaderText} />
    </Confirmation>
  )
}

function SubClientField({ value, onChange }: { value: string | null; onChange: (value: string | null) => void }) {
  const isOfReseller = useIsOfReseller()
  const choices = useQuery({ ...subClientChoicesQuery, enabled: isOfReseller }).data?.subClients ?? []
  if (choices.length === 0) return null
  return (
    <Select
      label={t('Only of the sub-client')}
      placeholder={t('All')}
      clearable
      searchable
      value={value}
      data={choices.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={onChange}
    />
  )
}

export function NewSecret({ secret, onStored }: { secret: string; onStored: () => void }) {
  return (
    <ShownOnce title={t('The signing secret')} label={t('Signing secret')} secret={secret} onStored={onStored}>
      {t('Give it to your receiver, which verifies by it that a call is from here. It is not shown again: if it is lost, rotate it.')}
    </ShownOnce>
  )
}
