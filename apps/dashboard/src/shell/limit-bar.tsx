import { Group, Progress, Text } from '@mantine/core'
import { percent, shortDay, wholeNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { useNow } from '../text/use-now.ts'
import { CrossIcon, WarningIcon } from './icons.tsx'
import { type LimitState, limitState, shareOf, usedUpAtMs } from './limit-use.ts'
import { StatusBadge, type StatusLook } from './status-badge.tsx'

const looks: Readonly<Record<Exclude<LimitState, 'fine'>, StatusLook & { readonly word: string }>> = {
  near: { color: 'orange', Icon: WarningIcon, word: t('Near the limit') },
  'used up': { color: 'red', Icon: CrossIcon, word: t('Used up') },
}
const colors: Readonly<Record<LimitState, string>> = { fine: 'green', near: 'orange', 'used up': 'red' }

type LimitBarProps = {
  label: string
  used: number
  limit: number
  /** What the limit counts by, where it begins anew. */
  span?: { readonly from: string; readonly until: string }
}

/** What is used of a limit, as a text, a bar and a word, and when it ends at this rate. */
export function LimitBar({ label, used, limit, span }: LimitBarProps) {
  const nowMs = useNow()
  const state = limitState(used, limit)
  const share = shareOf(used, limit)
  const endMs = span === undefined ? undefined : usedUpAtMs(used, limit, span, nowMs)
  return (
    <div className="limit-bar">
      <Group justify="space-between" gap={6} mih={24}>
        <Text size="sm">
          {label}: <b className="numbers">{t('{used} of {limit}', { used: wholeNumber(used), limit: wholeNumber(limit) })}</b>
          {limit > 0 && ` (${percent(share)})`}
        </Text>
        {state !== 'fine' && (
          <StatusBadge look={looks[state]} size="sm">
            {looks[state].word}
          </StatusBadge>
        )}
      </Group>
      <Progress value={Math.min(100, share * 100)} color={colors[state]} aria-label={label} mt={4} />
      {endMs !== undefined && (
        <Text size="xs" c="dimmed" mt={2}>
          {t('Used up about {day}, if it goes on like this', { day: shortDay(endMs) })}
        </Text>
      )}
    </div>
  )
}
