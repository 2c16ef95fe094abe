import { Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import { type FormEvent, useState } from 'react'
import { useUpdateSim } from '../api/sim-queries.ts'
import { DeviceSelect } from '../devices/device-select.tsx'
import { SubClientSelect } from '../devices/owner-selects.tsx'
import { useIsOfReseller, useMayChange } from '../session/use-session.ts'
import { Facts } from '../shell/facts.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { SubClientName } from '../sub-clients/sub-client-name.tsx'
import { t } from '../text/translate.ts'
import { type AllocationEdits, allocationChanges, subClientEdits } from './allocation.ts'
import { PlanSelect } from './plan-select.tsx'

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

/** What a person has chosen stays while the SIM changes meanwhile, as by a synchronisation. */
function AllocationForm({ sim }: { sim: Sim }) {
  const update = useUpdateSim(sim.id)
  const [edits, setEdits] = useState<AllocationEdits>({})
  const edit = (edited: AllocationEdits) => {
    update.reset()
    setEdits({ ...edits, ...edited })
  }
  const changes = allocationChanges(sim, edits)
  const subClientId = edits.sub_client_id === undefined ? sim.sub_client_id : edits.sub_client_id
  const deviceId = edits.device_id === undefined ? sim.device_id : edits.device_id
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (Object.keys(changes).length > 0) update.mutate(changes, { onSuccess: () => setEdits({}) })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <SubClientSelect value={subClientId} onChange={(chosen) => edit(subClientEdits(sim, chosen))} />
        <DeviceSelect
          label={t('Device')}
          placeholder={t('Name, IMEI, plate or SIM number')}
          clearable
          value={deviceId}
          isOffered={(device) => device.status !== 'decommissioned' && (subClientId === null || device.subClientId === subClientId)}
          onChange={(chosen) => edit({ device_id: chosen })}
        />
        {sim.device_id !== null && changes.device_id === null && changes.sub_client_id !== undefined && (
          <Text size="sm" role="note">
            {t('A SIM belongs to the sub-client that has its device: it leaves its device, which stays there.')}
          </Text>
        )}
        <PlanSelect
          placeholder={t('Not billed')}
          value={edits.plan_id === undefined ? sim.plan_id : edits.plan_id}
          onChange={(chosen) => edit({ plan_id: chosen })}
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
