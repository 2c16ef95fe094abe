import { Button, Checkbox, Group, Select, TextInput } from '@mantine/core'
import type { Webhook } from '@roadworthy/contracts/platform-v1/webhooks'
import type { EventType } from '@roadworthy/contracts/webhooks/events'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  useChangeWebhook,
  useDeleteWebhook,
  usePauseWebhook,
  useRecoverDeliveries,
  useRotateWebhookSecret,
  useTestWebhook,
} from '../api/webhook-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { useDialog } from '../shell/dialogs.tsx'
import { showNotice } from '../shell/notice.ts'
import { Refusal } from '../shell/refusal.tsx'
import { TypedConfirmation } from '../shell/typed-confirmation.tsx'
import { t } from '../text/translate.ts'
import { NewSecret } from './create-webhook.tsx'
import { EventChoice } from './event-choice.tsx'
import { eventGroups, eventWords, isEventType } from './event-words.ts'
import { HeaderField } from './header-field.tsx'
import { readHeaderLines } from './header-lines.ts'

type DialogProps = { webhook: Webhook; onClose: () => void }

const dialogs = { test: TestDialog, recover: RecoverDialog, edit: EditDialog, rotate: RotateDialog, delete: DeleteDialog } as const

export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const openDialog = useDialog()
  const pause = usePauseWebhook(webhook.id)
  const choose = (action: keyof typeof dialogs) => {
    const Dialog = dialogs[action]
    openDialog((close) => <Dialog webhook={webhook} onClose={close} />)
  }
  const isEnabled = webhook.status === 'enabled'
  return (
    <>
      <Group gap="xs">
        {isEnabled && (
          <Button size="sm" onClick={() => choose('test')}>
            {t('Send a test event')}
          </Button>
        )}
        {!isEnabled && (
          <Button size="sm" loading={pause.isPending} onClick={() => pause.mutate('resume')}>
            {t('Resume')}
          </Button>
        )}
        <Button size="sm" variant="default" onClick={() => choose('recover')}>
          {t('Recover what failed')}
        </Button>
        <Button size="sm" variant="default" onClick={() => choose('edit')}>
          {t('Edit')}
        </Button>
        <Button size="sm" variant="default" onClick={() => choose('rotate')}>
          {t('Rotate the secret')}
        </Button>
        {isEnabled && (
          <Button size="sm" variant="default" loading={pause.isPending} onClick={() => pause.mutate('pause')}>
            {t('Pause')}
          </Button>
        )}
        <Button size="sm" variant="default" onClick={() => choose('delete')}>
          {t('Delete')}
        </Button>
      </Group>
      <Refusal error={pause.error} />
    </>
  )
}

const testChoices = [
  { group: t('Test'), items: [{ value: 'webhook.test', label: 'webhook.test' }] },
  ...eventGroups.map(({ label, types }) => ({
    group: label,
    items: types.map((value) => ({ value, label: `${value} – ${eventWords[value]}` })),
  })),
]

function TestDialog({ webhook, onClose }: DialogProps) {
  const send = useTestWebhook(webhook.id)
  const navigate = useNavigate()
  const [type, setType] = useState<EventType>('webhook.test')
  const confirm = () =>
    send.mutate(type, {
      onSuccess: ({ eventId }) => {
        onClose()
        showNotice({ text: t('The test event is on its way.') })
        void navigate({ to: '/settings/webhooks/$webhookId', params: { webhookId: webhook.id }, search: { eventId } })
      },
    })
  return (
    <Confirmation
      title={t('Send a test event')}
      text={t('To this endpoint only, whichever events it asks for. The sample is made up and marked with “test”: nothing happened.')}
      label={t('Send')}
      change={send}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Select
        label={t('Event')}
        searchable
        allowDeselect={false}
        data={testChoices}
        value={type}
        onChange={(value) => isEventType(value) && setType(value)}
      />
    </Confirmation>
  )
}

const HOUR_MS = 3_600_000
const spans = [
  { value: '1', label: t('the last hour') },
  { value: '24', label: t('the last day') },
  { value: '168', label: t('the last week') },
  { value: '720', label: t('the last 30 days') },
]

function RecoverDialog({ webhook, onClose }: DialogProps) {
  const recover = useRecoverDeliveries(webhook.id)
  const [hours, setHours] = useState('24')
  const confirm = () =>
    recover.mutate(
      { since: new Date(Date.now() - Number(hours) * HOUR_MS).toISOString() },
      {
        onSuccess: (count) => {
          onClose()
          showNotice({
            text: t('{count, plural, =0 {Nothing had failed.} one {# delivery is sent again.} other {# deliveries are sent again.}}', {
              count,
            }),
          })
        },
      },
    )
  return (
    <Confirmation
      title={t('Recover what failed')}
      text={t(
        'Sends again every event that this endpoint asks for and did not get: what failed, what waits for a later attempt, and what happened while it was switched off. What was delivered is not repeated.',
      )}
      label={t('Send again')}
      change={recover}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Select label={t('Time span')} allowDeselect={false} data={spans} value={hours} onChange={(value) => setHours(value ?? '24')} />
    </Confirmation>
  )
}

function EditDialog({ webhook, onClose }: DialogProps) {
  const change = useChangeWebhook(webhook.id)
  const [url, setUrl] = useState(webhook.url)
  const [description, setDescription] = useState(webhook.description)
  const [types, setTypes] = useState<readonly EventType[] | null>(webhook.eventTypes)
  const [replaces, setReplaces] = useState(webhook.headerNames.length === 0)
  const [headerText, setHeaderText] = useState('')
  const read = readHeaderLines(headerText)
  const isReady = url.trim() !== '' && types?.length !== 0 && (!replaces || 'headers' in read)
  const confirm = () => {
    const headers = replaces && 'headers' in read && (webhook.headerNames.length > 0 || headerText.trim() !== '') ? read : {}
    change.mutate(
      { url: url.trim(), description: description.trim(), eventTypes: types === null ? null : [...types], ...headers },
      { onSuccess: onClose },
    )
  }
  return (
    <Confirmation
      title={t('Edit the endpoint')}
      text={t('A change applies to everything that is sent from now on, also to what is tried again.')}
      label={t('Save')}
      change={change}
      isReady={isReady}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextInput
        label={t('URL')}
        type="url"
        maxLength={2_000}
        required
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <TextInput
        label={t('Description')}
        maxLength={500}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <EventChoice types={types} onChange={setTypes} />
      {webhook.headerNames.length > 0 && (
        <Checkbox
          label={t('Replace the headers that are sent along ({names})', { names: webhook.headerNames.join(', ') })}
          description={t('Needed when scheme, host or port of the URL change. Empty: none are sent any more.')}
          checked={replaces}
          onChange={(event) => setReplaces(event.currentTarget.checked)}
        />
      )}
      {replaces && <HeaderField text={headerText} onChange={setHeaderText} />}
    </Confirmation>
  )
}

function RotateDialog({ webhook, onClose }: DialogProps) {
  const rotate = useRotateWebhookSecret(webhook.id)
  if (rotate.data !== undefined) return <NewSecret secret={rotate.data.secret} onStored={onClose} />
  return (
    <Confirmation
      title={t('Rotate the secret')}
      text={t(
        'A new signing secret is made. For 24 hours every call is signed with both, so that your receiver can change over without missing one.',
      )}
      label={t('Make the new secret')}
      change={rotate}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    />
  )
}

function DeleteDialog({ webhook, onClose }: DialogProps) {
  const navigate = useNavigate()
  const remove = useDeleteWebhook(webhook.id, () => navigate({ to: '/settings/webhooks' }))
  return (
    <TypedConfirmation
      title={t('Delete the endpoint')}
      text={t('Nothing is sent to it any more. What waits to be sent and the log of its deliveries are deleted with it, for good.')}
      label={t('Delete')}
      word={new URL(webhook.url).host}
      change={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  )
}
