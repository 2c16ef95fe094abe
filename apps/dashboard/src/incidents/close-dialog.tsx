import { Textarea } from '@mantine/core'
import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { useState } from 'react'
import { useChangeIncident } from '../api/incident-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { showNotice } from '../shell/notice.ts'
import { t } from '../text/translate.ts'

const MAX_NOTE_CHARACTERS = 1_000

type CloseDialogProps = { incident: Incident; reason: 'false_alarm' | 'other'; onClose: () => void }

/** Ends the incident without work. The note is what a colleague reads who finds it again. */
export function CloseDialog({ incident: { id, title }, reason, onClose }: CloseDialogProps) {
  const change = useChangeIncident()
  const [note, setNote] = useState('')
  const confirm = () => {
    const onDone = () => {
      showNotice({ text: t('Resolved: {title}', { title }) })
      onClose()
    }
    change.mutate({ id, change: { status: 'resolved', resolution: { reason, note: note.trim() } }, onDone })
  }
  return (
    <Confirmation
      title={reason === 'false_alarm' ? t('False alarm: {title}', { title }) : t('Close for another reason: {title}', { title })}
      text={t(
        'The incident and its alerts are resolved, and stay so until something gets worse, or has gone and comes back. This cannot be taken back.',
      )}
      label={t('Resolve')}
      color="red"
      change={change}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Textarea
        label={t('Why')}
        description={reason === 'false_alarm' ? t('What was looked at, and what it was instead.') : t('What became of it.')}
        required
        autosize
        minRows={2}
        maxLength={MAX_NOTE_CHARACTERS}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Confirmation>
  )
}
