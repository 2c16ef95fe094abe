import { Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import type { Sim, SimUpdate } from '@roadworthy/contracts/sim-billing/sims'
import { type FormEvent, useState } from 'react'
import { useUpdateSim } from '../api/sim-queries.ts'
import { useIsOfReseller, useMayChange } from '../session/use-session.ts'
import { Facts } from '../shell/facts.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { SubClientName } from '../sub-clients/sub-client-name.tsx'
import { t } from '../text/translate.ts'

/** The SIM's sub-client, device, rate plan and data limit. */
export function AllocationPanel({ sim }: { sim: Sim }) {
  const mayChange = useMayChange()
  const isOfReseller = useIsOfReseller()
  return (
    <Panel title={t('Allocation')}>
      {mayChange && isOfReseller && sim.status !== 'terminated' ? (
        <AllocationForm sim={sim} />
      ) : (
        <Facts
          facts={[
            [t('Sub-client'), sim.sub_client_id === null ? t('none') : <SubClientName key="name" subClientId={sim.sub_client_id} />],
            [t('Device'), sim.device_name ?? sim.device_id ?? t('none')],
          ]}
        />
      )}
    </Panel>
  )
}

type Edits = { sub_client_id?: string; device_id?: string; plan_id?: string; data_limit_mb?: string | number }

/** What a person has typed stays while the SIM changes meanwhile, as by a synchronisation. */
function AllocationForm({ sim }: { sim: Sim }) {
  const update = useUpdateSim(sim.id)
  const [edits, setEdits] = useState<Edits>({})
  const edit = (edited: Edits) => {
    update.reset()
    setEdits({ ...edits, ...edited })
  }
  const changes = changesOf(sim, edits)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (Object.keys(changes).length > 0) update.mutate(changes, { onSuccess: () => setEdits({}) })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <TextInput
          label={t('Sub-client')}
          placeholder={t('None')}
          value={edits.sub_client_id ?? sim.sub_client_id ?? ''}
          onChange={(event) => edit({ sub_client_id: event.currentTarget.value })}
        />
        <TextInput
          label={t('Device')}
          placeholder={t('Id or IMEI')}
          value={edits.device_id ?? sim.device_id ?? ''}
          onChange={(event) => edit({ device_id: event.currentTarget.value })}
        />
        <TextInput
          label={t('Rate plan')}
          placeholder={t('Not billed')}
          value={edits.plan_id ?? sim.plan_id ?? ''}
          onChange={(event) => edit({ plan_id: event.currentTarget.value })}
        />
        <NumberInput
          label={t('Data limit, MB a cycle')}
          placeholder={t('None')}
          min={1}
          value={edits.data_limit_mb ?? sim.data_limit_mb ?? ''}
          onChange={(limit) => edit({ data_limit_mb: limit })}
        />
        <Refusal error={update.error} />
        <Group justify="flex-end" gap="sm">
          {update.isSuccess && (
            <Text size="sm" c="dimmed" role="status">
              {t('Saved')}
            </Text>
          )}
          <Button type="submit" size="sm" loading={update.isPending}>
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function changesOf(sim: Sim, { data_limit_mb: limitMb, ...texts }: Edits): SimUpdate {
  const given: SimUpdate = {
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim() === '' ? null : text.trim()])),
    ...(limitMb === undefined ? {} : { data_limit_mb: typeof limitMb === 'number' ? limitMb : null }),
  }
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== sim[name as keyof Sim]))
}
