// The rules that send messages to who is signed in.

import type {
  CreatePersonalNotificationRule,
  PersonalNotificationRule,
  PersonalNotificationRuleChange,
  PersonalNotificationRuleList,
} from '@roadworthy/contracts/platform-v1/personal-notification-rules'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { get, send } from './client.ts'

const PATH = '/session/notification-rules'
const PERSONAL_RULES = ['personal-notification-rules']

export const personalRulesQuery = queryOptions({
  queryKey: PERSONAL_RULES,
  queryFn: ({ signal }) => get<Static<typeof PersonalNotificationRuleList>>(PATH, {}, signal),
})

export function useCreatePersonalRule() {
  const onSettled = useRenewed()
  return useMutation({
    mutationFn: (given: CreatePersonalNotificationRule) => send<PersonalNotificationRule>('POST', PATH, given),
    onSettled,
  })
}

export function useChangePersonalRule(ruleId: string) {
  const onSettled = useRenewed()
  return useMutation({
    mutationFn: (change: PersonalNotificationRuleChange) => send<PersonalNotificationRule>('PATCH', pathOf(ruleId), change),
    onSettled,
  })
}

export function useRemovePersonalRule(ruleId: string) {
  const onSettled = useRenewed()
  return useMutation({ mutationFn: () => send<object>('DELETE', pathOf(ruleId)), onSettled })
}

const pathOf = (ruleId: string) => `${PATH}/${encodeURIComponent(ruleId)}`

function useRenewed() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: PERSONAL_RULES })
}
