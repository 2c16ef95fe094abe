import { Radio, Stack, Text } from '@mantine/core'
import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { useState } from 'react'
import { useChangeIncident } from '../api/incident-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { absoluteTime } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { snoozeTimes } from './snooze-times.ts'
import { undoOf, useUndoNotice } from './undo.ts'

export function SnoozeDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const change = useChangeIncident()
  const notice = useUndoNotice()
  const [times] = useState(() => snoozeTimes(new Date()))
  const [label, setLabel] = useState(times[0]?.label ?? '')
  const confirm = () => {
    const until = times.find((time) => time.label === label)?.until.toISOString()
    if (until === undefined) return
    const onDone = () => {
      notice(t('Snoozed until {time}: {title}', { time: absoluteTime(until), title: incident.title }), incident.id, undoOf(incident))
      onClose()
    }
    change.mutate({ id: incident.id, change: { status: 'snoozed', snoozedUntil: until }, onDone })
  }
  return (
    <Confirmation
      title={t('Snooze: {title}', { title: incident.title })}
      text={t('It is out of the way until then. It opens again at once when it gets graver.')}
      label={t('Snooze')}
      change={change}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Radio.Group label={t('Until')} value={label} onChange={setLabel}>
        <Stack gap={6} mt={6}>
          {times.map((time) => (
            <Radio
              key={time.label}
              value={time.label}
              label={
                <>
                  {time.label}{' '}
                  <Text span size="xs" c="dimmed">
                    {absoluteTime(time.until.toISOString())}
                  </Text>
                </>
              }
            />
          ))}
        </Stack>
      </Radio.Group>
    </Confirmation>
  )
}
