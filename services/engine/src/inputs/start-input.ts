import type { Input, InputDeps } from './input.ts'
import type { InputPlan } from './input-settings.ts'

/** The input beside REST, where the settings ask for one. Its client library is loaded then and not before: the two cost 30 MB. */
export async function startInput(plan: InputPlan, deps: InputDeps): Promise<Input | undefined> {
  if (plan.kind === 'stream') return (await import('./kafka-input.ts')).startKafkaInput(plan, deps)
  return plan.kind === 'mqtt' ? (await import('./mqtt-input.ts')).startMqttInput(plan, deps) : undefined
}
