// Rules by which a person is sent messages: their own, and those of the account that name them.

import { type Static, Type } from 'typebox'
import { nullable, timestampExample } from '../wire-fields.ts'
import { optionalRuleFields, ruleFields, ruleNaming } from './notifications.ts'

/** Assumption: nobody keeps more kinds of messages apart, and each rule is looked at for each change of an incident. */
export const MAX_PERSONAL_RULES = 10

const idExample = 'nrp-7s0v3y6b9e2h5k8n1q4t'
const { name, minSeverity } = ruleNaming

const ruleExample = {
  ...{ id: idExample, name: 'My vans', subClientId: null, enabled: true, minSeverity: 'high' as const, components: null },
  ...{ vehicleIds: null, vehicleGroupIds: null, workingHours: null, quietHours: { from: '22:00', to: '06:00' } },
  ...{ criticalAtAnyHour: true, repeatMinutes: null, digest: null, own: true, afterMinutes: null },
  ...{ createdAt: timestampExample, updatedAt: timestampExample },
}

export const PersonalNotificationRule = Type.Object(
  {
    ...ruleFields,
    own: Type.Boolean({ description: 'True: the person made it for themself, and can change it.' }),
    afterMinutes: nullable(
      Type.Integer({
        minimum: 1,
        description: 'The person gets the message when nobody acknowledged the incident for so long. Null: at first.',
      }),
    ),
  },
  {
    title: 'PersonalNotificationRule',
    description: 'When one person is sent messages about which incidents. Whom else a rule of the account names is not in it.',
    examples: [ruleExample],
  },
)
export type PersonalNotificationRule = Static<typeof PersonalNotificationRule>

export const CreatePersonalNotificationRule = Type.Object(
  { name, minSeverity, ...optionalRuleFields },
  {
    title: 'CreatePersonalNotificationRule',
    description: 'Left out: enabled, any component and vehicle that the person sees, any hour, sent once.',
    examples: [{ name: 'My vans', minSeverity: 'high', quietHours: { from: '22:00', to: '06:00' } }],
  },
)
export type CreatePersonalNotificationRule = Static<typeof CreatePersonalNotificationRule>

export const PersonalNotificationRuleChange = Type.Object(
  { name: Type.Optional(name), minSeverity: Type.Optional(minSeverity), ...optionalRuleFields },
  {
    title: 'PersonalNotificationRuleChange',
    minProperties: 1,
    description: 'What is left out stays as it is.',
    examples: [{ enabled: false }],
  },
)
export type PersonalNotificationRuleChange = Static<typeof PersonalNotificationRuleChange>

export const PersonalNotificationRuleList = Type.Object(
  {
    limit: Type.Integer({ description: 'So many rules of their own a person has at most.' }),
    notificationRules: Type.Array(PersonalNotificationRule),
  },
  {
    title: 'PersonalNotificationRuleList',
    description: 'Oldest first.',
    examples: [{ limit: MAX_PERSONAL_RULES, notificationRules: [ruleExample] }],
  },
)

export const PersonalNotificationRuleParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200, examples: [idExample] }) })
