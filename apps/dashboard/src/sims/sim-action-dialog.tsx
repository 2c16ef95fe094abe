import { NumberInput, Select, TextInput } from '@mantine/core'
import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import { useState } from 'react'
import { type SimActionName, useSimAction } from '../api/sim-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { t } from '../text/translate.ts'
import type { OfferedAction } from './sim-actions.ts'

/** What each action means for traffic, fees and the number. */
const consequences: Readonly<Record<SimActionName, string>> = {
  activate: t('The SIM can send and receive data again, and its rental runs from then on.'),
  suspend: t('The SIM’s traffic stops. Its rental goes on, and you can resume it at any time.'),
  'safe-custody': t(
    'The SIM’s traffic stops and it is parked. The custody fee is charged in place of its rental, for a minimum number of days.',
  ),
  terminate: t('The SIM’s traffic stops. For a few days this can be taken back; after that its number is lost for good.'),
}

export function SimActionDialog({ sim, offered, onClose }: { sim: Sim; offered: OfferedAction; onClose: () => void }) {
  const act = useSimAction(sim.id)
  const [reason, setReason] = useState('')
  const [days, setDays] = useState<string | number>('')
  const [mode, setMode] = useState<string | null>('live')
  const { action, label, color } = offered
  const confirm = () => {
    const body = {
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      ...(action === 'safe-custody' && typeof days === 'number' ? { days } : {}),
      ...(action === 'activate' && mode === 'test' ? { mode: 'test' } : {}),
    }
    act.mutate({ action, body }, { onSuccess: onClose })
  }
  return (
    <Confirmation
      title={t('{label}: SIM {iccid}', { label, iccid: sim.iccid })}
      text={consequences[action]}
      label={label}
      color={color}
      change={act}
      onConfirm={confirm}
      onClose={onClose}
    >
      {action === 'activate' && sim.status === 'inventory' && (
        <Select
          label={t('As')}
          value={mode}
          onChange={setMode}
          allowDeselect={false}
          data={[
            { value: 'live', label: t('Active') },
            { value: 'test', label: t('Test, on the operator’s free allowance') },
          ]}
        />
      )}
      {action === 'safe-custody' && (
        <NumberInput
          label={t('Days')}
          placeholder={t('As long as the contract allows')}
          min={1}
          max={365}
          value={days}
          onChange={setDays}
        />
      )}
      <TextInput
        label={t('Reason')}
        placeholder={t('For the history')}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Confirmation>
  )
}
