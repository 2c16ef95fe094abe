// From what a person typed about an operator to what the service is asked to change. Pure.

import type { OperatorConnection, OperatorConnectionUpdate } from '@roadworthy/contracts/sim-billing/operator-connections'
import { changesOf } from '../shell/changes-of.ts'
import { given, type Values } from './field.ts'
import { operatorForms, termFields } from './operator-fields.ts'

/** As typed; what was not touched is left out. */
export type OperatorEdits = {
  readonly name?: string
  readonly planId?: string | null
  readonly settings?: Values
  readonly terms?: Values
}

/** What the fields hold: what was typed over what is stored. */
export function operatorFieldsOver(connection: OperatorConnection, typed: OperatorEdits) {
  return {
    name: typed.name ?? connection.name,
    planId: typed.planId === undefined ? connection.default_plan_id : typed.planId,
    settings: { ...connection.settings, ...typed.settings } as Values,
    terms: { ...termsOf(connection), ...typed.terms } as Values,
  }
}

/** Only what differs. The settings are sent whole, for the service replaces all of them. */
export function operatorChanges(stored: OperatorConnection, typed: OperatorEdits): OperatorConnectionUpdate {
  return changesOf(bodyOf(stored, typed), bodyOf(stored, {}))
}

function bodyOf(connection: OperatorConnection, typed: OperatorEdits): OperatorConnectionUpdate {
  const { name, planId, settings, terms } = operatorFieldsOver(connection, typed)
  const sent = given(operatorForms[connection.operator].settings, settings)
  return { name: name.trim(), settings: sent, ...given(termFields, terms), default_plan_id: planId }
}

function termsOf(connection: OperatorConnection): Values {
  const { sync_every_minutes, custody_min_days, custody_max_days, custody_on_expiry, termination_grace_days } = connection
  return { sync_every_minutes, custody_min_days, custody_max_days, custody_on_expiry, termination_grace_days }
}
