import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import { type SimActionName, useSimAction } from '../api/sim-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { t } from '../text/translate.ts'
import { useActionFields } from './action-fields.tsx'
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
  const { action, label, color } = offered
  const { given, fields } = useActionFields(action, [sim])
  return (
    <Confirmation
      title={t('{label}: SIM {iccid}', { label, iccid: sim.iccid })}
      text={consequences[action]}
      label={label}
      color={color}
      change={act}
      onConfirm={() => act.mutate({ action, body: given }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {fields}
    </Confirmation>
  )
}
