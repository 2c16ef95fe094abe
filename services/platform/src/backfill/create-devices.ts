// Devices that the source has and the reseller has not, registered as in any other bulk: pending, until they report here.

import { importDevices } from '../devices/import-devices.ts'
import type { RegisterDeps, RegistrationRequest } from '../devices/register-device.ts'
import type { Viewer } from '../fleet/viewer.ts'
import { BackfillProblem, type PastSource } from './past-source.ts'

export type CreateDeps = Omit<RegisterDeps<null>, 'toAnswer'>

/** Of one transaction. */
const AT_ONCE = 200

/** Throws where one cannot be registered; those of the transactions before stay, and are found by the next import. */
export async function createDevices(deps: CreateDeps, viewer: Viewer, source: PastSource, imeis: readonly string[]): Promise<void> {
  for (let at = 0; at < imeis.length; at += AT_ONCE) {
    const part = imeis.slice(at, at + AT_ONCE)
    const requests = part.map((imei) => requestOf(source, viewer, imei))
    const { rows, isKept } = await importDevices({ ...deps, toAnswer: () => null }, viewer, requests, { dryRun: false, skipInvalid: false })
    if (isKept) continue
    const refused = rows.findIndex(({ status }) => status === 'refused')
    const row = rows[refused]
    const why = row?.status === 'refused' ? row.problem.message : 'it is refused'
    throw new BackfillProblem(`The device ${part[refused] ?? ''} cannot be created: ${why} No reading was imported.`)
  }
}

function requestOf(source: PastSource, { subClientPin }: Viewer, imei: string): RegistrationRequest {
  const connectionMethod = source.kind === 'traccar' ? 'traccar' : 'mqtt'
  return {
    ...{
      name: source.nameOf(imei),
      imei,
      simNumber: undefined,
      deviceType: 'other',
      connectionMethod,
      status: 'pending',
      subClientId: subClientPin,
    },
    // A vehicle without a name of its own shows that of its device.
    vehicle: source.namesVehicles ? undefined : { mode: 'create' },
    bodyText: `import ${imei}`,
  }
}
