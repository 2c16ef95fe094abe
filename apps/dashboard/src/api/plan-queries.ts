// What the page about the plan asks for.

import type { Plan } from '@roadworthy/contracts/platform-v1/plan'
import { queryOptions } from '@tanstack/react-query'
import { get } from './client.ts'

export const planQuery = queryOptions({ queryKey: ['plan'], queryFn: ({ signal }) => get<Plan>('/plan', {}, signal) })
