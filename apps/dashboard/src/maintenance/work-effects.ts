// What completing work does, in words, before it is done.

import type { Maintenance } from '@roadworthy/contracts/platform-v1/maintenance'

type Completion = Pick<Maintenance, 'component' | 'scheduleId' | 'renewed'>

/** Each a sentence. They follow what the service does in one transaction. */
export function effectsOf({ component, scheduleId, renewed }: Completion): readonly string[] {
  const part = component.replaceAll('_', ' ')
  return [
    `Open alerts about ${part} that were raised before the work are resolved.`,
    renewed ? `The life of the part begins anew in the next prediction.` : 'The part keeps its age in predictions.',
    ...(renewed ? [`Every schedule for ${part} on this vehicle starts again.`] : []),
    ...(!renewed && scheduleId !== null ? ['The schedule of this work starts again.'] : []),
    ...(!renewed && scheduleId === null ? ['No schedule starts again.'] : []),
  ]
}
