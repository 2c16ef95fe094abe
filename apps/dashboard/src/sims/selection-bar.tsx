import { Button, Group, Text } from '@mantine/core'
import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import { MOST_SIMS, type SimFilter, useMatchingSims } from '../api/sim-queries.ts'
import { useDialog } from '../shell/dialogs.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { BulkActionDialog, BulkAllocationDialog } from './bulk-dialogs.tsx'
import { offeredForMany } from './sim-actions.ts'

type SelectionBarProps = {
  selected: readonly Sim[]
  filter: SimFilter
  /** How many match the filter, whether they are on the page or not. */
  total: number
  onSelect: (sims: readonly Sim[]) => void
}

/** How many are selected, and what can be done with all of them. A person who may change anything is of the whole reseller. */
export function SelectionBar({ selected, filter, total, onSelect }: SelectionBarProps) {
  const openDialog = useDialog()
  const matching = useMatchingSims()
  const offered = offeredForMany(selected)
  const allocatable = selected.some(({ status }) => status !== 'terminated')
  const selectable = Math.min(total, MOST_SIMS)
  return (
    <div className="panel padded">
      <Group gap="xs" role="group" aria-label={t('Selected SIMs')}>
        <Text size="sm" role="status">
          {t('{count} selected', { count: selected.length })}
        </Text>
        {selected.length < selectable && (
          <Button size="xs" variant="default" loading={matching.isPending} onClick={() => matching.mutate(filter, { onSuccess: onSelect })}>
            {total > MOST_SIMS
              ? t('Select the first {count} of {total} that match', { count: MOST_SIMS, total })
              : t('Select all {total} that match', { total })}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => onSelect([])}>
          {t('Select none')}
        </Button>
        {offered.map((each) => (
          <Button
            key={each.action}
            size="xs"
            variant="default"
            {...(each.color === undefined ? {} : { c: each.color })}
            onClick={() => openDialog((close) => <BulkActionDialog sims={selected} offered={each} onEnd={onSelect} onClose={close} />)}
          >
            {each.label}
          </Button>
        ))}
        {allocatable && (
          <Button
            size="xs"
            variant="default"
            onClick={() => openDialog((close) => <BulkAllocationDialog sims={selected} onEnd={onSelect} onClose={close} />)}
          >
            {t('Allocate')}
          </Button>
        )}
      </Group>
      <Refusal error={matching.error} />
    </div>
  )
}
