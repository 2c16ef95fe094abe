import { Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import type { SubClient } from '@roadworthy/contracts/platform-v1/sub-clients'
import { type FormEvent, useState } from 'react'
import { useChangeSubClient } from '../api/sub-client-queries.ts'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { type LimitName, limitNames, type SubClientEdits, subClientChanges } from './sub-client-edits.ts'

const limitLabels: Readonly<Record<LimitName, string>> = {
  devices: t('Most devices'),
  readingsPerMonth: t('Most readings a month'),
  predictionsPerMonth: t('Most predictions a month'),
}

export function SubClientForm({ subClient }: { subClient: SubClient }) {
  const change = useChangeSubClient(subClient.id)
  const [edits, setEdits] = useState<SubClientEdits>({})
  const edit = (edited: SubClientEdits) => {
    change.reset()
    setEdits({ ...edits, ...edited })
  }
  const changes = subClientChanges(subClient, edits)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (Object.keys(changes).length > 0) change.mutate(changes, { onSuccess: () => setEdits({}) })
  }
  return (
    <Panel title={t('Name, contact and limits')}>
      <form onSubmit={submit}>
        <Stack gap="xs">
          <TextInput
            label={t('Name')}
            required
            maxLength={200}
            value={edits.name ?? subClient.name}
            onChange={(event) => edit({ name: event.currentTarget.value })}
          />
          <TextInput
            label={t('Contact e-mail')}
            type="email"
            maxLength={200}
            value={edits.contactEmail ?? subClient.contactEmail ?? ''}
            onChange={(event) => edit({ contactEmail: event.currentTarget.value })}
          />
          <TextInput
            label={t('Contact phone')}
            maxLength={200}
            value={edits.contactPhone ?? subClient.contactPhone ?? ''}
            onChange={(event) => edit({ contactPhone: event.currentTarget.value })}
          />
          {limitNames.map((name) => (
            <NumberInput
              key={name}
              label={limitLabels[name]}
              placeholder={t('No limit')}
              min={0}
              allowDecimal={false}
              hideControls
              value={edits.limits?.[name] ?? subClient.limits[name] ?? ''}
              onChange={(typed) => edit({ limits: { ...edits.limits, [name]: typed } })}
            />
          ))}
          <Refusal error={change.error} />
          <Group justify="flex-end" gap="sm">
            {change.isSuccess && (
              <Text size="sm" c="dimmed" role="status">
                {t('Saved')}
              </Text>
            )}
            <Button type="submit" size="sm" loading={change.isPending}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}
