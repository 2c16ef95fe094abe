import type { SimStatus } from '../api/sim-queries.ts'
import { t } from '../text/translate.ts'

export const simStatuses = [
  'inventory',
  'test',
  'active',
  'suspended',
  'safe_custody',
  'terminating',
  'terminated',
] as const satisfies readonly SimStatus[]

export const statusLabels: Readonly<Record<SimStatus, string>> = {
  inventory: t('Inventory'),
  test: t('Test'),
  active: t('Active'),
  suspended: t('Suspended'),
  safe_custody: t('Safe custody'),
  terminating: t('Terminating'),
  terminated: t('Terminated'),
}
