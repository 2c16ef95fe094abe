// What completing work does, in words, before it is done.

import type { Maintenance } from '@roadworthy/contracts/platform-v1/maintenance'
import { componentWords } from '../health/component-name.ts'
import { t } from '../text/translate.ts'

type Completion = Pick<Maintenance, 'component' | 'scheduleId' | 'renewed'>

/** Each a sentence. They follow what the service does in one transaction. */
export function effectsOf({ component, scheduleId, renewed }: Completion): readonly string[] {
  const part = componentWords(component)
  return [
    t('Open alerts about {part} that were raised before the work are resolved.', { part }),
    renewed ? t('The life of the part begins anew in the next prediction.') : t('The part keeps its age in predictions.'),
    ...(renewed ? [t('Every schedule for {part} on this vehicle starts again.', { part })] : []),
    ...(!renewed && scheduleId !== null ? [t('The schedule of this work starts again.')] : []),
    ...(!renewed && scheduleId === null ? [t('No schedule starts again.')] : []),
  ]
}
