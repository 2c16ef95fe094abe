import { Alert, Button, Group, Modal, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import { type FormEvent, useState } from 'react'
import { type SimActionName, useSimAction } from '../api/sim-queries.ts'
import type { OfferedAction } from './sim-actions.ts'

/** What it means, before it is done: traffic stops, fees run on, some of it cannot be taken back. */
const consequences: Readonly<Record<SimActionName, string>> = {
  activate: 'The operator lets the SIM’s traffic through, and its rental runs from then on.',
  suspend: 'The SIM’s traffic stops. Its rental goes on, and you can resume it at any time.',
  'safe-custody': 'The SIM’s traffic stops and it is parked: it bears the custody fee in place of its rental, for a least number of days.',
  terminate: 'The SIM’s traffic stops. For a few days this can be taken back; after that its number is lost for good.',
}

export function SimActionDialog({ sim, offered, onClose }: { sim: Sim; offered: OfferedAction; onClose: () => void }) {
  const act = useSimAction(sim.id)
  const [reason, setReason] = useState('')
  const [days, setDays] = useState<string | number>('')
  const [mode, setMode] = useState<string | null>('live')
  const { action, label, color } = offered
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = {
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      ...(action === 'safe-custody' && typeof days === 'number' ? { days } : {}),
      ...(action === 'activate' && mode === 'test' ? { mode: 'test' } : {}),
    }
    act.mutate({ action, body }, { onSuccess: onClose })
  }
  return (
    <Modal opened onClose={onClose} title={`${label}: SIM ${sim.iccid}`}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">{consequences[action]}</Text>
          {action === 'activate' && sim.status === 'inventory' && (
            <Select
              label="As"
              value={mode}
              onChange={setMode}
              allowDeselect={false}
              data={[
                { value: 'live', label: 'Active' },
                { value: 'test', label: 'Test, on the operator’s free allowance' },
              ]}
            />
          )}
          {action === 'safe-custody' && (
            <NumberInput label="Days" placeholder="As long as the contract allows" min={1} max={365} value={days} onChange={setDays} />
          )}
          <TextInput
            label="Reason"
            placeholder="For the history"
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          {act.isError && (
            <Alert color="red" role="alert">
              {act.error.message}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={act.isPending} {...(color === undefined ? {} : { color })}>
              {label}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
