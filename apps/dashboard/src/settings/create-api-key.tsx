import { Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCreateApiKey } from '../api/api-key-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { ShownOnce } from '../shell/shown-once.tsx'
import { t } from '../text/translate.ts'
import { type Preset, presetLabels, presets, scopeGroups, scopesOfPreset, scopesText } from './api-key-scopes.ts'
import { expiryAfter } from './api-key-state.ts'

const lifetimes = [
  { value: '', label: t('Never') },
  { value: '30', label: t('In 30 days') },
  { value: '90', label: t('In 90 days') },
  { value: '365', label: t('In a year') },
]

export function CreateApiKey({ onClose }: { onClose: () => void }) {
  const create = useCreateApiKey()
  const [name, setName] = useState('')
  const [subClientId, setSubClientId] = useState('')
  const [preset, setPreset] = useState<Preset>('read')
  const [chosen, setChosen] = useState<string[]>([])
  const [days, setDays] = useState('')
  const scopes = scopesOfPreset(preset, chosen)
  if (create.data !== undefined) return <NewKey secret={create.data.secret} onStored={onClose} />
  const confirm = () => {
    const expiresAt = expiryAfter(days === '' ? undefined : Number(days), Date.now())
    const pin = subClientId.trim() === '' ? {} : { subClientId: subClientId.trim() }
    create.mutate({ name: name.trim(), scopes: [...scopes], ...pin, ...(expiresAt === undefined ? {} : { expiresAt }) })
  }
  return (
    <Confirmation
      title={t('New API key')}
      text={t('For a program. The key is shown once, when it is made.')}
      label={t('Make the key')}
      change={create}
      isReady={name.trim() !== '' && scopes.length > 0}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextInput
        label={t('Name')}
        placeholder={t('What will use it')}
        maxLength={200}
        required
        data-autofocus
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={t('It may')}
        allowDeselect={false}
        value={preset}
        data={presets.map((value) => ({ value, label: presetLabels[value] }))}
        onChange={(value) => setPreset(presets.find((each) => each === value) ?? 'read')}
      />
      {preset === 'custom' ? (
        <ScopeChoices chosen={chosen} onChange={setChosen} />
      ) : (
        <Text size="xs" c="dimmed">
          {preset === 'full' ? t('Everything, also keys, people and brands.') : scopesText(scopes)}
        </Text>
      )}
      <TextInput
        label={t('Only of the sub-client')}
        description={t('Its id. Empty: the key sees all of them.')}
        maxLength={64}
        autoComplete="off"
        value={subClientId}
        onChange={(event) => setSubClientId(event.currentTarget.value)}
      />
      <Select label={t('It ends')} allowDeselect={false} value={days} data={lifetimes} onChange={(value) => setDays(value ?? '')} />
    </Confirmation>
  )
}

function ScopeChoices({ chosen, onChange }: { chosen: string[]; onChange: (chosen: string[]) => void }) {
  return (
    <Stack gap="xs">
      {scopeGroups.map(({ label, choices }) => (
        <Checkbox.Group key={label} label={label} value={chosen} onChange={onChange}>
          <Group gap="xs" mt={4}>
            {choices.map((choice) => (
              <Checkbox key={choice.scope} value={choice.scope} label={choice.label} size="sm" />
            ))}
          </Group>
        </Checkbox.Group>
      ))}
    </Stack>
  )
}

export function NewKey({ secret, onStored }: { secret: string; onStored: () => void }) {
  return (
    <ShownOnce title={t('The new key')} label={t('API key')} secret={secret} onStored={onStored}>
      {t('Store it where your program reads it. It is not shown again: if it is lost, rotate the key.')}
    </ShownOnce>
  )
}
