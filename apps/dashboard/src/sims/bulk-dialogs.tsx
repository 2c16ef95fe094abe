import { Text } from '@mantine/core'
import type { SimBulk } from '@roadworthy/contracts/sim-billing/sim-actions'
import type { Sim, SimUpdate } from '@roadworthy/contracts/sim-billing/sims'
import { type ReactNode, useState } from 'react'
import { type SimActionName, sendAllocation, sendBulkAction } from '../api/sim-queries.ts'
import { SubClientSelect } from '../devices/owner-selects.tsx'
import { ConfirmationForm } from '../shell/confirmation.tsx'
import { DialogFrame } from '../shell/dialog-frame.tsx'
import { t } from '../text/translate.ts'
import { countsByState, type Sending } from './act-on-sims.ts'
import { useActionFields } from './action-fields.tsx'
import { BulkRunPanel } from './bulk-run-panel.tsx'
import { PlanSelect } from './plan-select.tsx'
import type { BulkAction } from './sim-actions.ts'
import { useBulkRun } from './use-bulk-run.ts'

/** Few enough that progress is seen and it stops soon; many enough that hundreds take seconds. */
const SIMS_PER_CALL = 25
/** As many as a browser sends beside what the page asks for. */
const CALLS_AT_ONCE = 4

type BulkDialogProps = {
  sims: readonly Sim[]
  /** The SIMs that were not done. */
  onEnd: (left: readonly Sim[]) => void
  onClose: () => void
}

/** What each action means for traffic, fees and the numbers. */
const consequences: Readonly<Record<SimActionName, string>> = {
  activate: t('The SIMs can send and receive data again, and their rental runs from then on. Terminations under way are taken back.'),
  suspend: t('The SIMs’ traffic stops. Their rental goes on, and you can resume them at any time.'),
  'safe-custody': t(
    'The SIMs’ traffic stops and they are parked. The custody fee is charged in place of their rental, for a minimum number of days.',
  ),
  terminate: t('The SIMs’ traffic stops. For a few days this can be taken back; after that their numbers are lost for good.'),
}

export function BulkActionDialog({ sims, offered, onEnd, onClose }: BulkDialogProps & { offered: BulkAction }) {
  const { action, label, color, possibleCount } = offered
  const { given, fields } = useActionFields(action, sims)
  const body: Omit<SimBulk, 'sim_ids'> = { action: action === 'safe-custody' ? 'safe_custody' : action, ...given }
  const impossible = sims.length - possibleCount
  return (
    <BulkDialog
      sims={sims}
      label={label}
      color={color}
      text={consequences[action]}
      isReady
      acceptedText={(count) =>
        t('{count, plural, one {The operator was asked for # SIM.} other {The operator was asked for # SIMs.}}', { count })
      }
      sending={{ perCall: SIMS_PER_CALL, slots: 1, send: (part) => sendBulkAction(part, body) }}
      onEnd={onEnd}
      onClose={onClose}
    >
      <Text size="sm">{countsByState(sims)}</Text>
      {impossible > 0 && (
        <Text size="sm" role="note">
          {t(
            '{count, plural, one {For # of them this changes nothing or is not possible at present: it stays as it is.} other {For # of them this changes nothing or is not possible at present: they stay as they are.}}',
            { count: impossible },
          )}
        </Text>
      )}
      {fields}
    </BulkDialog>
  )
}

/** No id of a sub-client or a plan has this form. */
const NONE = '*none'
const changeOf = (chosen: string) => (chosen === NONE ? null : chosen)

export function BulkAllocationDialog({ sims, onEnd, onClose }: BulkDialogProps) {
  const [subClientId, setSubClientId] = useState<string | null>(null)
  const [planId, setPlanId] = useState<string | null>(null)
  const changes: SimUpdate = {
    ...(subClientId === null ? {} : { sub_client_id: changeOf(subClientId) }),
    ...(planId === null ? {} : { plan_id: changeOf(planId) }),
  }
  const unchanged = t('Stays as it is')
  return (
    <BulkDialog
      sims={sims}
      label={t('Allocate')}
      text={t('The SIMs are billed to their new sub-client, and by their new rate plan, from now on.')}
      isReady={Object.keys(changes).length > 0}
      acceptedText={(count) => t('{count, plural, one {# SIM was allocated.} other {# SIMs were allocated.}}', { count })}
      sending={{
        perCall: 1,
        slots: CALLS_AT_ONCE,
        send: async (part) => await Promise.all(part.map((sim) => sendAllocation(sim, changes))),
      }}
      onEnd={onEnd}
      onClose={onClose}
    >
      <SubClientSelect value={subClientId} placeholder={unchanged} others={[{ value: NONE, label: t('None') }]} onChange={setSubClientId} />
      <PlanSelect value={planId} placeholder={unchanged} others={[{ value: NONE, label: t('Not billed') }]} onChange={setPlanId} />
      <Text size="sm" c="dimmed">
        {t('A SIM that is in a device of another sub-client is refused: move the device, and its SIM moves with it.')}
      </Text>
    </BulkDialog>
  )
}

type FrameProps = BulkDialogProps & {
  label: string
  color?: 'red' | undefined
  text: string
  isReady: boolean
  acceptedText: (count: number) => string
  sending: Sending
  children: ReactNode
}

const notSent = { isPending: false, error: null }

function BulkDialog({ sims, label, color, text, isReady, acceptedText, sending, onEnd, onClose, children }: FrameProps) {
  const run = useBulkRun(sims)
  const { phase, results, start, stop } = run
  const close = () => {
    if (phase === 'running') return stop()
    if (phase === 'stopping') return
    if (phase === 'ended') {
      const done = new Set(results.filter(({ status }) => status !== 'refused').map(({ simId }) => simId))
      onEnd(sims.filter(({ id }) => !done.has(id)))
    }
    onClose()
  }
  return (
    <DialogFrame title={t('{label}: {count, plural, one {# SIM} other {# SIMs}}', { label, count: sims.length })} onClose={close}>
      {phase === 'asked' ? (
        <ConfirmationForm
          text={text}
          label={t('{label}: {count, plural, one {# SIM} other {# SIMs}}', { label, count: sims.length })}
          color={color}
          change={notSent}
          isReady={isReady}
          onConfirm={() => start(sending)}
          onClose={onClose}
        >
          {children}
        </ConfirmationForm>
      ) : (
        <BulkRunPanel sims={sims} run={run} acceptedText={acceptedText} onGoOn={() => start(sending)} onClose={close} />
      )}
    </DialogFrame>
  )
}
