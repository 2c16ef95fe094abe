import { addGauge } from '@roadworthy/service-kit/telemetry/metrics'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Outcome } from './answer-message.ts'
import type { VehicleWindows } from './vehicle-windows.ts'

export type InputMetrics = {
  readonly count: (outcome: Outcome) => void
  /** A connection or group membership that had to be made anew. */
  readonly countReconnect: () => void
  readonly setLag: (messageCount: number) => void
}

/** Of one input; none of them names a vehicle. */
export function createInputMetrics(
  registry: Registry,
  watched: { readonly input: string; readonly windows: VehicleWindows; readonly isConnected: () => boolean },
): InputMetrics {
  const registers = [registry]
  const { input, windows } = watched
  const messages = new Counter({
    name: 'engine_input_messages_total',
    help: 'Messages by what became of them: answered, late (answered, but older than one before), duplicate, dead (set aside as poison).',
    labelNames: ['input', 'outcome'],
    registers,
  })
  const dead = new Counter({
    name: 'engine_input_dead_letters_total',
    help: 'Messages set aside, by reason.',
    labelNames: ['input', 'reason'],
    registers,
  })
  const reconnects = new Counter({
    name: 'engine_input_reconnects_total',
    help: 'Connections to the broker that had to be made anew.',
    labelNames: ['input'],
    registers,
  })
  const lag = new Gauge({
    name: 'engine_input_lag_messages',
    help: 'Messages of the partitions held here that are not answered and committed yet.',
    labelNames: ['input'],
    registers,
  })
  addGauge(registry, 'engine_input_connected', '1 while the input takes messages.', () => Number(watched.isConnected()))
  addGauge(registry, 'engine_input_window_vehicles', 'Vehicles of which readings are remembered.', windows.vehicleCount)
  addGauge(registry, 'engine_input_window_forgotten', 'Vehicles forgotten to make room for others, since start.', windows.forgottenCount)
  return {
    count: (outcome) => {
      if (outcome.kind === 'poison') dead.inc({ input, reason: outcome.poison.code })
      messages.inc({ input, outcome: nameOf(outcome) })
    },
    countReconnect: () => reconnects.inc({ input }),
    setLag: (messageCount) => lag.set({ input }, messageCount),
  }
}

function nameOf(outcome: Outcome): string {
  if (outcome.kind === 'answer') return outcome.isLate ? 'late' : 'answered'
  return outcome.kind === 'poison' ? 'dead' : outcome.kind
}
