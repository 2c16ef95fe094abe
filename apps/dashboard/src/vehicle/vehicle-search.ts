import type { SignalName } from '@roadworthy/signals/registry'

export const vehicleTabs = ['health', 'signals', 'alerts', 'codes', 'maintenance', 'odometer', 'readings', 'edit'] as const
export type VehicleTab = (typeof vehicleTabs)[number]

export const chartSpans = ['1h', '24h', '7d', '30d'] as const
export type ChartSpanName = (typeof chartSpans)[number]

export type VehicleSearch = {
  readonly tab?: Exclude<VehicleTab, 'health'> | undefined
  readonly span?: ChartSpanName | undefined
  /** Both, for a range of one's own. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Perhaps of no signal that there is. */
  readonly signal?: SignalName | undefined
}

/** The form of a name. Which there are is known where signals are drawn: the registry is not part of what a first visit loads. */
const SIGNAL = /^[A-Za-z0-9]{1,40}$/

/** Of an address; what it does not know is left out, and the tab that comes first is not named. */
export function readVehicleSearch(given: Record<string, unknown>): VehicleSearch {
  const tab = vehicleTabs.find((each) => each === given['tab'])
  const span = chartSpans.find((each) => each === given['span'])
  const signal = typeof given['signal'] === 'string' && SIGNAL.test(given['signal']) ? (given['signal'] as SignalName) : undefined
  const [from, to] = [timeOf(given['from']), timeOf(given['to'])]
  return {
    ...(tab === undefined || tab === 'health' ? {} : { tab }),
    ...(span === undefined ? {} : { span }),
    ...(from === undefined || to === undefined || from >= to ? {} : { from, to }),
    ...(signal === undefined ? {} : { signal }),
  }
}

function timeOf(value: unknown): string | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}
