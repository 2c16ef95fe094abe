// What a connection needs by operator, as docs/sims.md has it.

import type { OperatorConnection } from '@roadworthy/contracts/sim-billing/operator-connections'
import { t } from '../text/translate.ts'
import type { Field } from './field.ts'

export type OperatorName = OperatorConnection['operator']

type OperatorForm = {
  /** The name of the product, which is the same in every language. */
  readonly product: string
  readonly baseUrl: string
  readonly credentials: readonly Field[]
  readonly settings: readonly Field[]
}

const cycle: readonly Field[] = [
  {
    name: 'time_zone',
    label: t('Time zone of the operator'),
    description: t('In which its days and billing cycles begin'),
    kind: 'zone',
    isRequired: true,
  },
]
const cycleDetails: readonly Field[] = [
  { name: 'cycle_day', label: t('First day of the billing cycle'), description: t('1 to 31; empty: the first'), kind: 'number' },
  {
    name: 'cycle_settle_minutes',
    label: t('Minutes until a cycle is settled'),
    description: t('For so long after its end the operator may still count'),
    kind: 'number',
  },
]

export const operatorForms: Readonly<Record<OperatorName, OperatorForm>> = {
  cisco: {
    product: 'Cisco IoT Control Center',
    baseUrl: 'https://restapi3.jasper.com/rws/api/v1',
    credentials: [
      { name: 'username', label: t('User name'), kind: 'text', isRequired: true },
      { name: 'api_key', label: t('API key'), kind: 'secret', isRequired: true },
    ],
    settings: [
      ...cycle,
      { name: 'account_id', label: t('Account'), description: t('Where the user sees several: whose SIMs are listed'), kind: 'text' },
      {
        name: 'parking_rate_plan',
        label: t('Rate plan of SIMs in safe custody'),
        description: t('By the name that the operator gives it. Without it safe custody is not offered.'),
        kind: 'text',
      },
      {
        name: 'termination_status',
        label: t('What terminated SIMs become'),
        kind: 'choice',
        choices: ['RETIRED', 'PURGED'].map((value) => ({ value, label: value })),
      },
      ...cycleDetails,
    ],
  },
  airtel: {
    product: 'Airtel IoT',
    baseUrl: 'https://m2m.airteliot.co.in/iot/api',
    credentials: [
      { name: 'client_id', label: t('Client id'), kind: 'text', isRequired: true },
      { name: 'client_secret', label: t('Client secret'), kind: 'secret', isRequired: true },
      { name: 'api_key', label: t('API key'), kind: 'secret', isRequired: true },
    ],
    settings: [
      ...cycle,
      { name: 'customer_id', label: t('Customer id'), kind: 'text', isRequired: true },
      { name: 'iv_user', label: t('User id (iv-user)'), kind: 'text', isRequired: true },
      {
        name: 'basket_id',
        label: t('Basket'),
        description: t('Whose SIMs these are; 0 is all of the account'),
        kind: 'number',
        isRequired: true,
      },
      { name: 'test_plan', label: t('Plan of the test mode'), description: t('Without it there is no test mode.'), kind: 'text' },
      { name: 'disconnect_reason', label: t('Reason given for a termination'), kind: 'text' },
      ...cycleDetails,
    ],
  },
}

/** Of every operator: the terms of the contract, and how it is synchronised. */
export const termFields: readonly Field[] = [
  { name: 'sync_every_minutes', label: t('Synchronise every so many minutes'), kind: 'number', isRequired: true },
  {
    name: 'custody_min_days',
    label: t('Safe custody is charged for at least so many days'),
    description: t('A SIM may come out of it sooner.'),
    kind: 'number',
    isRequired: true,
  },
  { name: 'custody_max_days', label: t('Safe custody lasts at most so many days'), kind: 'number', isRequired: true },
  {
    name: 'custody_on_expiry',
    label: t('When safe custody ends by itself'),
    kind: 'choice',
    isRequired: true,
    choices: [
      { value: 'suspend', label: t('the SIM stays barred') },
      { value: 'activate', label: t('the SIM becomes active') },
    ],
  },
  {
    name: 'termination_grace_days',
    label: t('Days in which a termination can be taken back'),
    kind: 'number',
    isRequired: true,
  },
]
