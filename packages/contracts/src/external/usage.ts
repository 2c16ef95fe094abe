// What was used (spec §1; added: Spec gap §4.1).

import { type Static, Type } from 'typebox'
import {
  csvOf,
  elapsedPercent,
  ndjson,
  ownerSubClientId,
  projectionDescription,
  projectionFields,
  reportDescription,
  reportFields,
  rowFields,
  timeZone,
  usageQuery,
} from '../usage.ts'
import { subClientFilter } from './references.ts'

export const UsageQuery = Type.Object({ sub_client_id: subClientFilter, ...usageQuery })

const UsageRow = Type.Object({ ...rowFields, sub_client_id: ownerSubClientId }, { title: 'UsageRow' })

export const UsageReport = Type.Object(
  {
    ...reportFields,
    time_zone: timeZone,
    rows: Type.Array(UsageRow, { description: 'By period, sub-client and meter.' }),
    projected: Type.Object(
      { ...projectionFields, elapsed_percent: elapsedPercent },
      { title: 'UsageProjection', description: projectionDescription },
    ),
  },
  { title: 'UsageReport', description: reportDescription },
)
export type UsageReport = Static<typeof UsageReport>

export const usageText = { 'text/csv': csvOf('period,sub_client_id,meter,count'), 'application/x-ndjson': ndjson }
