import type { Description } from '../incidents/incident.ts'
import type { EngineAlert, EnginePrediction } from '../predictions/engine/engine-answer.ts'
import { identityOf } from './decide-alerts.ts'
import type { Causes } from './store-alerts.ts'

/** What an engine may name of one vehicle; beyond it, findings are grouped by component. Assumption: it has a few dozen. */
const MAX_CAUSES = 64
const MAX_CAUSE_CHARACTERS = 100
const MAX_COMPONENT_CHARACTERS = 64

/** What one answer of the engine contains of the causes of its findings. An engine that names none has its findings grouped by component. */
export function reportedCauses({
  alerts,
  incidents,
}: {
  alerts: readonly EngineAlert[]
  incidents: EnginePrediction['incidents']
}): Causes {
  const descriptions = new Map<string, Description>()
  for (const { cause, component, title, recommendation } of (incidents ?? []).slice(0, MAX_CAUSES)) {
    if (isShort(cause) && component.length <= MAX_COMPONENT_CHARACTERS) descriptions.set(cause, { component, title, recommendation })
  }
  const causes = new Map<string, string>()
  for (const alert of alerts) {
    const { incident, component } = alert
    // Named as the engine names it only where the engine describes it; of two reports of one alert the first, which is the worse, counts.
    const cause = incident !== undefined && descriptions.has(incident) ? incident : component
    if (!causes.has(identityOf(alert))) causes.set(identityOf(alert), cause.slice(0, MAX_CAUSE_CHARACTERS).toWellFormed())
  }
  return { causeOf: (alert) => causes.get(identityOf(alert)), descriptions }
}

function isShort(cause: string): boolean {
  return cause.length <= MAX_CAUSE_CHARACTERS && !cause.includes('\u0000')
}
