import { Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import { type FormEvent, useState } from 'react'
import { useUpdateSim } from '../api/sim-queries.ts'
import { useIsOfReseller, useMayChange } from '../session/use-session.ts'
import { Facts } from '../shell/facts.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'

/** The SIM's sub-client, device, rate plan and data limit. */
export function AllocationPanel({ sim }: { sim: Sim }) {
  const mayChange = useMayChange()
  const isOfReseller = useIsOfReseller()
  return (
    <Panel title="Allocation">
      {mayChange && isOfReseller && sim.status !== 'terminated' ? (
        <AllocationForm sim={sim} />
      ) : (
        <Facts
          facts={[
            ['Sub-client', sim.sub_client_id ?? 'none'],
            ['Device', sim.device_id ?? 'none'],
          ]}
        />
      )}
    </Panel>
  )
}

function AllocationForm({ sim }: { sim: Sim }) {
  const update = useUpdateSim(sim.id)
  const [subClientId, setSubClientId] = useState(sim.sub_client_id ?? '')
  const [deviceId, setDeviceId] = useState(sim.device_id ?? '')
  const [planId, setPlanId] = useState(sim.plan_id ?? '')
  const [limitMb, setLimitMb] = useState<string | number>(sim.data_limit_mb ?? '')
  const given = {
    sub_client_id: textOrNull(subClientId),
    device_id: textOrNull(deviceId),
    plan_id: textOrNull(planId),
    data_limit_mb: typeof limitMb === 'number' ? limitMb : null,
  }
  const changes = Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== sim[name as keyof typeof given]))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    update.mutate(changes)
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <TextInput
          label="Sub-client"
          placeholder="None"
          value={subClientId}
          onChange={(event) => setSubClientId(event.currentTarget.value)}
        />
        <TextInput label="Device" placeholder="Id or IMEI" value={deviceId} onChange={(event) => setDeviceId(event.currentTarget.value)} />
        <TextInput label="Rate plan" placeholder="Not billed" value={planId} onChange={(event) => setPlanId(event.currentTarget.value)} />
        <NumberInput label="Data limit, MB a cycle" placeholder="None" min={1} value={limitMb} onChange={setLimitMb} />
        <Refusal error={update.error} />
        <Group justify="flex-end" gap="sm">
          {update.isSuccess && (
            <Text size="sm" c="dimmed" role="status">
              Saved
            </Text>
          )}
          <Button type="submit" size="sm" loading={update.isPending} disabled={Object.keys(changes).length === 0}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const textOrNull = (text: string) => (text.trim() === '' ? null : text.trim())
