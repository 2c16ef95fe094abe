// The devices of a Traccar server, by its number of each.

import { BackfillProblem, type PastSource } from './past-source.ts'
import type { TraccarDevice } from './traccar-position.ts'

/** More than one Traccar server is run with. Assumption. */
const MAX_DEVICES = 200_000
const MAX_NAME_CHARACTERS = 128

export class TraccarDevices {
  readonly #byId = new Map<string, string>()
  readonly #names = new Map<string, string>()

  add({ id, uniqueId, name }: TraccarDevice): void {
    if (id === '' || uniqueId === '') throw new BackfillProblem('A device of tc_devices has no id or no uniqueid.')
    if (this.#byId.size >= MAX_DEVICES) throw new BackfillProblem(`There are more than ${MAX_DEVICES} devices in tc_devices.`)
    this.#byId.set(id, uniqueId)
    const shortName = name.trim().slice(0, MAX_NAME_CHARACTERS).toWellFormed()
    if (shortName !== '') this.#names.set(uniqueId, shortName)
  }

  uniqueIdOf(id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.#byId.get(id)
  }

  asSource(name: string): Pick<PastSource, 'kind' | 'name' | 'notes' | 'namesVehicles' | 'nameOf'> {
    return {
      kind: 'traccar',
      name,
      notes: ['groups, geofences, drivers, users, events and reports of Traccar'],
      namesVehicles: false,
      nameOf: (reference) => this.#names.get(reference),
    }
  }
}
