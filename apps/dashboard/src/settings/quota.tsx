import { Text } from '@mantine/core'
import type { Plan } from '@roadworthy/contracts/platform-v1/plan'
import { LimitBar } from '../shell/limit-bar.tsx'
import { wholeNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'

type QuotaProps = { label: string; quota: Plan['predictions']; month: Plan['month'] }

export function Quota({ label, quota: { limit, used }, month }: QuotaProps) {
  if (limit === null) {
    return (
      <Text size="sm">
        {label}: <b className="numbers">{wholeNumber(used)}</b>, {t('without a limit')}
      </Text>
    )
  }
  return <LimitBar label={label} used={used} limit={limit} span={month} />
}
