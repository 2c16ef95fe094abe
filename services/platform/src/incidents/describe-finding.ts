import type { Description, Finding, IncidentSource } from './incident.ts'

/** By the `event` of a device. */
const forDevices: Readonly<Record<string, string>> = {
  sos: 'Call the driver, and send help.',
  crash: 'Call the driver, and send help.',
  tow: 'Find out who moves the vehicle, and call the police if nobody knows.',
  tamper: 'Look at the device and its wiring.',
  jamming: 'Call the driver, and keep an eye on the last known position.',
  power_cut: 'Find out whether a workshop has the vehicle; if not, look at the device and its wiring.',
}

/** By the urgency of an alert of an engine that recommends nothing of its own. */
const byUrgency: Readonly<Record<string, (part: string) => string>> = {
  immediate: (part) => `Stop the vehicle where it is safe, and have ${part} looked at before it goes on.`,
  urgent: (part) => `Have ${part} looked at today.`,
  soon: (part) => `Have ${part} looked at within days.`,
  routine: (part) => `Have ${part} looked at with the next service.`,
  monitor: (part) => `Keep an eye on ${part}.`,
}

/** The words for an incident from its worst finding alone. */
export function describeFinding({ type, component, description, urgency }: Finding, source: IncidentSource): Description {
  const recommend = byUrgency[urgency] ?? byUrgency['monitor']
  const recommendation =
    source === 'maintenance'
      ? 'Do the work, and put it on record.'
      : ((source === 'device' ? forDevices[type] : undefined) ?? recommend?.(`the ${component.replaceAll('_', ' ')}`) ?? '')
  return { component, title: description, recommendation }
}
