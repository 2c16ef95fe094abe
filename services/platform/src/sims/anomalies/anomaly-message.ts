import { BYTES_PER_MB } from '../sim.ts'
import type { Anomaly } from './judge-anomalies.ts'

/** One sentence that names what was seen and what was expected. */
export function anomalyMessage({ kind, detail }: Anomaly, iccid: string): string {
  const megabytes = (name: string) => Math.round(Number(detail[name] ?? 0) / BYTES_PER_MB)
  switch (kind) {
    case 'wrong_device':
      return `The operator sees SIM ${iccid} in a device with IMEI ${detail['seen_imei']}; it was given to ${detail['expected_imei']}.`
    case 'usage_above_habit':
      return `SIM ${iccid} used ${megabytes('day_bytes')} MB in 24 hours, usually ${megabytes('usual_day_bytes')} MB.`
    case 'traffic_in_custody':
      return `SIM ${iccid} is in safe custody and used ${megabytes('bytes')} MB since.`
  }
}
