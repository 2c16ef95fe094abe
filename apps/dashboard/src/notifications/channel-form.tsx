import { Select, Text, TextInput } from '@mantine/core'
import type { NotificationChannel } from '@roadworthy/contracts/platform-v1/notification-channels'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChangeChannel, useConnectChannel } from '../api/notification-queries.ts'
import { subClientChoicesQuery } from '../api/sub-client-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { ShownOnce } from '../shell/shown-once.tsx'
import { LanguageSelect } from '../text/language-select.tsx'
import { language, units } from '../text/preferences.ts'
import { t } from '../text/translate.ts'
import {
  type ChannelWording,
  type Entries,
  filledEntries,
  isWholeTarget,
  isWorded,
  type Kind,
  kindFields,
  kindHelp,
  kindNames,
  wordingFields,
} from './channel-kinds.ts'

const MAX_OPTIONS = 50

/** Without a channel, a new one. What is secret is not shown again: an empty field keeps what is there. */
export function ChannelForm({ channel, onClose }: { channel?: NotificationChannel; onClose: () => void }) {
  const connect = useConnectChannel()
  const change = useChangeChannel(channel?.id ?? '')
  const [name, setName] = useState(channel?.name ?? '')
  const [kind, setKind] = useState<Kind>(channel?.kind ?? 'slack')
  const [subClientId, setSubClientId] = useState<string | null>(channel?.subClientId ?? null)
  const [entries, setEntries] = useState<Entries>({})
  const [wording, setWording] = useState<ChannelWording>(channel ?? { language, units })
  const isNew = channel === undefined
  const secret = connect.data?.secret
  if (typeof secret === 'string') {
    return (
      <ShownOnce title={t('The secret of {name}', { name })} label={t('Secret')} secret={secret} onStored={onClose}>
        {t('By it your program checks that a request is ours. It is not shown again.')}
      </ShownOnce>
    )
  }
  const save = () => {
    const given = { name: name.trim(), ...filledEntries(kind, entries), ...wordingFields(kind, wording) }
    if (!isNew) return change.mutate(given, { onSuccess: onClose })
    connect.mutate({ ...given, kind, subClientId }, { onSuccess: (created) => created.secret === null && onClose() })
  }
  return (
    <Confirmation
      title={isNew ? t('Connect a channel') : t('Edit the channel {name}', { name: channel.name })}
      text={isNew ? t('Send a test after it is connected, and name it in a rule.') : t('A field that is left empty stays as it is.')}
      label={isNew ? t('Connect') : t('Save')}
      change={isNew ? connect : change}
      isReady={name.trim() !== '' && (!isNew || isWholeTarget(kind, entries))}
      onConfirm={save}
      onClose={onClose}
    >
      {isNew && (
        <Select
          label={t('Sent to')}
          allowDeselect={false}
          value={kind}
          data={Object.entries(kindNames).map(([value, label]) => ({ value, label }))}
          onChange={(value) => setKind((value ?? kind) as Kind)}
        />
      )}
      <Text size="sm" c="dimmed">
        {kindHelp[kind]}
      </Text>
      <TextInput
        label={t('Name')}
        required
        data-autofocus
        maxLength={120}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TargetFields kind={kind} isNew={isNew} entries={entries} onChange={setEntries} />
      {isWorded(kind) && <WordingFields wording={wording} onChange={setWording} />}
      {isNew && <OwnerField value={subClientId} onChange={setSubClientId} />}
    </Confirmation>
  )
}

type TargetFieldsProps = { kind: Kind; isNew: boolean; entries: Entries; onChange: (entries: Entries) => void }

function TargetFields({ kind, isNew, entries, onChange }: TargetFieldsProps) {
  return kindFields[kind].map(({ field, label, description, isOptional = false, isSecret = false }) => (
    <TextInput
      key={`${kind} ${field}`}
      label={label}
      description={description}
      required={isNew && !isOptional}
      maxLength={2_000}
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: isSecret ? 'secret' : '' }}
      value={entries[field] ?? ''}
      onChange={(event) => onChange({ ...entries, [field]: event.currentTarget.value })}
    />
  ))
}

function WordingFields({ wording, onChange }: { wording: ChannelWording; onChange: (wording: ChannelWording) => void }) {
  const { language, units } = wording
  return (
    <>
      <LanguageSelect value={language} onChange={(chosen) => onChange({ language: chosen, units })} />
      <Select
        label={t('Units')}
        allowDeselect={false}
        value={units}
        data={[
          { value: 'metric', label: t('Metric') },
          { value: 'imperial', label: t('Imperial (US)') },
        ]}
        onChange={(chosen) => onChange({ language, units: chosen === 'imperial' ? 'imperial' : 'metric' })}
      />
    </>
  )
}

function OwnerField({ value, onChange }: { value: string | null; onChange: (subClientId: string | null) => void }) {
  const subClients = useQuery(subClientChoicesQuery).data?.subClients ?? []
  if (subClients.length === 0) return null
  return (
    <Select
      label={t('Only for rules of')}
      placeholder={t('The whole fleet')}
      clearable
      searchable
      limit={MAX_OPTIONS}
      value={value}
      data={subClients.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={onChange}
    />
  )
}
