import { Button, Group, TextInput } from '@mantine/core'
import type { GatewayConnection, GatewayConnectionUpdate } from '@roadworthy/contracts/sim-billing/gateway-connections'
import { useState } from 'react'
import { useChangeGateway, useRemoveGateway, useTestGateway } from '../api/connection-queries.ts'
import { changesOf } from '../shell/changes-of.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { useDialog } from '../shell/dialogs.tsx'
import { refusalElsewhere, refusalOf } from '../shell/field-refusal.ts'
import { showNotice } from '../shell/notice.ts'
import { TypedConfirmation } from '../shell/typed-confirmation.tsx'
import { t } from '../text/translate.ts'
import { given, type Values } from './field.ts'
import { FieldInputs } from './field-inputs.tsx'
import { gatewayForms } from './gateway-fields.ts'

type DialogProps = { connection: GatewayConnection; onClose: () => void }

const dialogs = { change: Change, pause: Pause, remove: Remove } as const

export function GatewayActions({ connection }: { connection: GatewayConnection }) {
  const { connection_id: id, name, enabled } = connection
  const test = useTestGateway(id)
  const openDialog = useDialog()
  const choose = (action: keyof typeof dialogs) => {
    const Dialog = dialogs[action]
    openDialog((close) => <Dialog connection={connection} onClose={close} />)
  }
  const showResult = ({ success, message, duration_ms: ms }: { success: boolean; message: string; duration_ms: number }) =>
    showNotice({
      text: success
        ? t('{name}: {message} It took {ms} ms.', { name, message, ms })
        : t('{name} does not work: {message} It took {ms} ms.', { name, message, ms }),
    })
  const ask = () => test.mutate(undefined, { onSuccess: showResult, onError: ({ message }) => showNotice({ text: message }) })
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" loading={test.isPending} aria-label={t('Test {name}', { name })} onClick={ask}>
        {t('Test')}
      </Button>
      <Button size="xs" variant="default" aria-label={t('Change {name}', { name })} onClick={() => choose('change')}>
        {t('Change')}
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={enabled ? t('Pause {name}', { name }) : t('Go on with {name}', { name })}
        onClick={() => choose('pause')}
      >
        {enabled ? t('Pause') : t('Go on')}
      </Button>
      <Button size="xs" variant="default" c="red" aria-label={t('Delete {name}', { name })} onClick={() => choose('remove')}>
        {t('Delete')}
      </Button>
    </Group>
  )
}

/** Of the credentials those that are given are replaced. */
function Change({ connection, onClose }: DialogProps) {
  const { connection_id: id, gateway, settings: current } = connection
  const change = useChangeGateway(id)
  const [typedName, setName] = useState<string>()
  const [typed, setTyped] = useState<Values>({})
  const name = typedName ?? connection.name
  const values = { ...current, ...typed }
  const { settings, credentials } = gatewayForms[gateway]
  const shown = ['name', ...settings.map((each) => `settings.${each.name}`), ...credentials.map((each) => `credentials.${each.name}`)]
  const replaced = given(credentials, values)
  const confirm = () => {
    const stored = { name: connection.name, settings: given(settings, { ...current }), credentials: {} }
    const changes = changesOf({ name: name.trim(), settings: given(settings, values), credentials: replaced }, stored)
    if (Object.keys(changes).length === 0) return onClose()
    change.mutate(changes as GatewayConnectionUpdate, { onSuccess: onClose })
  }
  const onChange = (field: string, value: string | number) => setTyped({ ...typed, [field]: value })
  return (
    <Confirmation
      title={t('Change {name}', { name: connection.name })}
      text={t(
        'Credentials that you leave empty stay. A webhook secret that is replaced works for three more days; another key has to be of the same account.',
      )}
      label={t('Change')}
      isReady={name.trim() !== ''}
      change={{ isPending: change.isPending, error: refusalElsewhere(change.error, shown) }}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextInput
        label={t('Name')}
        required
        maxLength={100}
        value={name}
        error={refusalOf(change.error, 'name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <FieldInputs
        fields={credentials.map((each) => ({ ...each, isRequired: false }))}
        values={values}
        path="credentials."
        error={change.error}
        onChange={onChange}
      />
      <FieldInputs fields={settings} values={values} path="settings." error={change.error} onChange={onChange} />
    </Confirmation>
  )
}

function Pause({ connection: { connection_id: id, name, enabled }, onClose }: DialogProps) {
  const change = useChangeGateway(id)
  return (
    <Confirmation
      title={enabled ? t('Pause {name}', { name }) : t('Go on with {name}', { name })}
      text={
        enabled
          ? t(
              'Your sub-clients cannot begin a payment through it. Payments that are under way, refunds and messages of the gateway are served.',
            )
          : t('Your sub-clients can pay through it again.')
      }
      label={enabled ? t('Pause') : t('Go on')}
      change={change}
      onConfirm={() => change.mutate({ enabled: !enabled }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

function Remove({ connection: { connection_id: id, name }, onClose }: DialogProps) {
  const remove = useRemoveGateway(id)
  return (
    <TypedConfirmation
      title={t('Delete {name}', { name })}
      text={t(
        'Its credentials are forgotten, and no refund can be made of what was paid through it. While something is under way it is not deleted.',
      )}
      label={t('Delete')}
      word={name}
      change={remove}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
