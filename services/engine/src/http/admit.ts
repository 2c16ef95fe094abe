import { Problem } from '@roadworthy/service-kit/http/problem'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { type AdmissionDeps, refusalNow } from '../admission.ts'
import type { BodyBudget } from '../overload.ts'
import type { EngineMetrics } from './engine-metrics.ts'

/** Turns requests away before their bodies are read, and counts the bodies of those it lets in. */
export function createAdmit(deps: AdmissionDeps & { budget: BodyBudget; metrics: EngineMetrics }): onRequestHookHandler {
  return (request, reply, done) => {
    const refusal = refusalNow(deps) ?? refuseBody(deps.budget, request, reply)
    if (refusal !== undefined) deps.metrics.countRefusal(refusal.code)
    done(refusal)
  }
}

function refuseBody(budget: BodyBudget, request: FastifyRequest, reply: FastifyReply): Problem | undefined {
  if (budget.take(request.raw, reply.raw, request.routeOptions.bodyLimit)) return undefined
  return new Problem('overloaded', 'The engine is reading as much as it can hold.', { retryAfterS: 1 })
}
