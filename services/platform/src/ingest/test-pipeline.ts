// Ingest on a real database for tests whose subject is not the directory of devices: every device is registered, and active, in no vehicle.

import assert from 'node:assert/strict'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { defaultGroupCommitLimits, type GroupCommitLimits } from './group-commit.ts'
import { createIngestPipeline, type IngestDeps, type IngestPipeline } from './pipeline.ts'
import { unlimited } from './reading-quota.ts'
import type { FleetDirectory } from './resolve.ts'

type Replaced = Partial<Pick<IngestDeps, 'quota' | 'onUnstorable'>> & {
  readonly directory?: Partial<FleetDirectory>
  readonly limits?: Partial<GroupCommitLimits>
}

export function openTestPipeline(
  database: Database,
  now: () => Date,
  { directory = {}, limits = {}, ...replaced }: Replaced = {},
): IngestPipeline {
  return createIngestPipeline({
    database,
    now,
    directory: {
      findDevice: (_resellerId, deviceId) => {
        return { deviceId, imei: undefined, status: 'active', subClientId: undefined, vehicleId: undefined }
      },
      findVehicle: () => undefined,
      createNamedVehicle: () => assert.fail(),
      findSubClientStatus: () => 'active',
      findTimeZone: () => 'Asia/Kolkata',
      activateDevices: () => assert.fail(),
      ...directory,
    },
    window: { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 },
    quota: unlimited,
    limits: { ...defaultGroupCommitLimits, ...limits },
    onUnstorable: (error) => assert.fail(String(error)),
    ...replaced,
  })
}
