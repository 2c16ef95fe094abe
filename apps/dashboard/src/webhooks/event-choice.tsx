import { Checkbox, Radio, Stack, Text } from '@mantine/core'
import type { EventType } from '@roadworthy/contracts/webhooks/events'
import { t } from '../text/translate.ts'
import { eventGroups, eventWords, isEventType } from './event-words.ts'

type EventChoiceProps = { types: readonly EventType[] | null; onChange: (types: readonly EventType[] | null) => void }

/** `null` is all of them, also those that are added one day. */
export function EventChoice({ types, onChange }: EventChoiceProps) {
  return (
    <Stack gap="xs">
      <Radio.Group
        label={t('Events that are sent to it')}
        value={types === null ? 'all' : 'some'}
        onChange={(value) => onChange(value === 'all' ? null : [])}
      >
        <Stack gap={6} mt={4}>
          <Radio value="all" label={t('All events, also those that are added one day')} />
          <Radio value="some" label={t('The events chosen here')} />
        </Stack>
      </Radio.Group>
      {types !== null && (
        <Stack gap="sm" className="indented">
          {eventGroups.map((group) => (
            <Group key={group.label} group={group} chosen={types} onChange={onChange} />
          ))}
          {types.length === 0 && <Text size="sm">{t('Choose at least one.')}</Text>}
        </Stack>
      )}
    </Stack>
  )
}

type GroupProps = { group: (typeof eventGroups)[number]; chosen: readonly EventType[]; onChange: (types: readonly EventType[]) => void }

function Group({ group: { label, types }, chosen, onChange }: GroupProps) {
  const others = chosen.filter((type) => !types.includes(type))
  const ofGroup = chosen.filter((type) => types.includes(type))
  return (
    <Checkbox.Group label={label} value={ofGroup} onChange={(values) => onChange([...others, ...values.filter(isEventType)])}>
      <Stack gap={4} mt={4}>
        {types.map((type) => (
          <Checkbox
            key={type}
            value={type}
            size="sm"
            label={
              <>
                {eventWords[type]}{' '}
                <Text span size="xs" c="dimmed" className="code">
                  {type}
                </Text>
              </>
            }
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
