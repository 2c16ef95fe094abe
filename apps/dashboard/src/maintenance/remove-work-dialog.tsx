import type { Maintenance } from '@roadworthy/contracts/platform-v1/maintenance'
import { useRemoveWork } from '../api/maintenance-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { t } from '../text/translate.ts'
import { useWorkTitle } from './work-fields.tsx'

export function RemoveWorkDialog({ record, onClose }: { record: Maintenance; onClose: () => void }) {
  const remove = useRemoveWork(record.id)
  const title = useWorkTitle(record.vehicleId, record.component)
  return (
    <Confirmation
      title={t('Delete: {title}', { title })}
      text={
        record.status === 'completed'
          ? t(
              'The record is gone for good, and the life of the part is counted as if the work had never been done. Alerts that it resolved and schedules that it restarted stay as they are.',
            )
          : t('The plan is gone for good, also from the calendar. Alerts and schedules stay as they are.')
      }
      label={t('Delete')}
      color="red"
      change={remove}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
