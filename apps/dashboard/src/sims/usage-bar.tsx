import { Progress, Text } from '@mantine/core'
import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import { dataSize } from '../text/money.ts'
import { t } from '../text/translate.ts'

const BYTES_PER_MB = 1_048_576

/** Data used in the operator's cycle, of what is planned for where somebody has planned it. */
export function UsageBar({ sim }: { sim: Pick<Sim, 'data_usage_bytes' | 'data_limit_mb'> }) {
  const { data_usage_bytes: usedBytes, data_limit_mb: limitMb } = sim
  if (limitMb === null) return <span className="numbers nowrap">{dataSize(usedBytes)}</span>
  const share = usedBytes / (limitMb * BYTES_PER_MB)
  const text = t('{used} of {limit}', { used: dataSize(usedBytes), limit: dataSize(limitMb * BYTES_PER_MB) })
  return (
    <div className="usage-bar">
      <Text size="sm" className="numbers nowrap">
        {text}
      </Text>
      <Progress
        value={Math.min(100, share * 100)}
        color={share > 1 ? 'red' : share > 0.8 ? 'orange' : 'green'}
        size="sm"
        aria-label={text}
      />
    </div>
  )
}
