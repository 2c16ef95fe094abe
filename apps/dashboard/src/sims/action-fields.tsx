import { NumberInput, Select, TextInput } from '@mantine/core'
import type { SimBulk } from '@roadworthy/contracts/sim-billing/sim-actions'
import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import { type ReactNode, useState } from 'react'
import type { SimActionName } from '../api/sim-queries.ts'
import { t } from '../text/translate.ts'

type Given = Pick<SimBulk, 'reason' | 'days' | 'mode'>

/** What a person may add to an action, as fields and as the body of the call. */
export function useActionFields(action: SimActionName, sims: readonly Pick<Sim, 'status'>[]): { given: Given; fields: ReactNode } {
  const [reason, setReason] = useState('')
  const [days, setDays] = useState<string | number>('')
  const [mode, setMode] = useState<string | null>('live')
  const given: Given = {
    ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    ...(action === 'safe-custody' && typeof days === 'number' ? { days } : {}),
    ...(action === 'activate' && mode === 'test' ? { mode } : {}),
  }
  const fields = (
    <>
      {action === 'activate' && sims.some(({ status }) => status === 'inventory') && (
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
    </>
  )
  return { given, fields }
}
