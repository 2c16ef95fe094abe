import type { SubClientDeactivation } from '@roadworthy/contracts/platform-v1/sub-clients'

/** What deactivating does, in sentences. */
export function deactivationLines({ devices, sims, vehicles, people }: SubClientDeactivation): string[] {
  return [
    `${count(devices, 'device leaves', 'devices leave')} it and ${devices === 1 ? 'belongs' : 'belong'} to no sub-client.`,
    `${count(sims, 'SIM leaves', 'SIMs leave')} it, within minutes.`,
    `${count(vehicles, 'vehicle stays', 'vehicles stay')} with it and can be read, not changed.`,
    `${count(people, 'person who sees', 'people who see')} only this sub-client can still read.`,
  ]
}

function count(number: number, one: string, many: string): string {
  return number === 1 ? `1 ${one}` : `${number} ${many}`
}
