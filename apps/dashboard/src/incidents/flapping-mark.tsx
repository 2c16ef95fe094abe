import { Badge, Tooltip } from '@mantine/core'
import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { RepeatIcon } from '../shell/icons.tsx'
import { shortTime } from '../text/format.ts'
import { t } from '../text/translate.ts'

/** Of an incident that comes and goes. What that means is shown under the pointer, and to those who come by keyboard or by touch. */
export function FlappingMark({ flapping }: { flapping: NonNullable<Incident['flapping']> }) {
  const { count, since } = flapping
  const meaning = t(
    'Back {count} times since {time}, each time within an hour after it had ended by itself. Unless it gets graver, messages about it are sent once an hour at most.',
    { count, time: shortTime(since) },
  )
  return (
    <Tooltip label={meaning} multiline w={280} events={{ hover: true, focus: true, touch: true }}>
      <Badge
        component="button"
        type="button"
        size="sm"
        variant="light"
        color="orange"
        tt="none"
        className="badge help"
        leftSection={<RepeatIcon size={12} />}
      >
        {t('Flapping')}
      </Badge>
    </Tooltip>
  )
}
