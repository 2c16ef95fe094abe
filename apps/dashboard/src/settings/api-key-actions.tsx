import { Button, Group, Select } from '@mantine/core'
import type { ApiKey } from '@roadworthy/contracts/platform-v1/api-keys'
import { useState } from 'react'
import { useRevokeApiKey, useRotateApiKey } from '../api/api-key-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { useDialog } from '../shell/dialogs.tsx'
import { TypedConfirmation } from '../shell/typed-confirmation.tsx'
import { t } from '../text/translate.ts'
import { NewKey } from './create-api-key.tsx'

const overlaps = [
  { value: '0', label: t('At once') },
  { value: '1', label: t('In an hour') },
  { value: '24', label: t('In a day') },
  { value: '168', label: t('In a week') },
]

export function ApiKeyActions({ apiKey }: { apiKey: ApiKey }) {
  const openDialog = useDialog()
  const rotate = () => openDialog((close) => <RotateDialog apiKey={apiKey} onClose={close} />)
  const revoke = () => openDialog((close) => <RevokeDialog apiKey={apiKey} onClose={close} />)
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap" className="row-actions">
      <Button size="xs" variant="default" onClick={rotate} aria-label={t('Rotate {name}', { name: apiKey.name })}>
        {t('Rotate')}
      </Button>
      <Button size="xs" variant="default" onClick={revoke} aria-label={t('Revoke {name}', { name: apiKey.name })}>
        {t('Revoke')}
      </Button>
    </Group>
  )
}

type DialogProps = { apiKey: ApiKey; onClose: () => void }

function RotateDialog({ apiKey, onClose }: DialogProps) {
  const rotate = useRotateApiKey(apiKey.id)
  const [hours, setHours] = useState('24')
  if (rotate.data !== undefined) return <NewKey secret={rotate.data.secret} onStored={onClose} />
  return (
    <Confirmation
      title={t('Rotate {name}', { name: apiKey.name })}
      text={t('A new key is made with the same name, rights, limits and expiry. Give it to your program while the old one still works.')}
      label={t('Make the new key')}
      change={rotate}
      onConfirm={() => rotate.mutate(Number(hours))}
      onClose={onClose}
    >
      <Select
        label={t('The old key ends')}
        allowDeselect={false}
        value={hours}
        data={overlaps}
        onChange={(value) => setHours(value ?? '24')}
      />
    </Confirmation>
  )
}

function RevokeDialog({ apiKey, onClose }: DialogProps) {
  const revoke = useRevokeApiKey(apiKey.id)
  return (
    <TypedConfirmation
      title={t('Revoke {name}', { name: apiKey.name })}
      text={t('The key that ends in {last4} stops working within a second, for good. Whatever uses it is refused from then on.', {
        last4: apiKey.last4,
      })}
      label={t('Revoke the key')}
      word={apiKey.name}
      change={revoke}
      onConfirm={() => revoke.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
