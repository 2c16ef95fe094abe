import type { Input, InputDeps } from './input.ts'
import type { InputPlan } from './input-settings.ts'
import { startKafkaInput } from './kafka-input.ts'
import { startMqttInput } from './mqtt-input.ts'

/** The input beside REST, where the settings ask for one. */
export function startInput(plan: InputPlan, deps: InputDeps): Input | undefined {
  if (plan.kind === 'stream') return startKafkaInput(plan, deps)
  return plan.kind === 'mqtt' ? startMqttInput(plan, deps) : undefined
}
