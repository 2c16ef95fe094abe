// Answers that nothing on the way may keep (RFC 9111 §5.2.2.5): they are of one person, or are shown once.

import type { FastifyInstance } from 'fastify'

/** Call on an encapsulated instance before its routes. */
export function neverStored(app: Pick<FastifyInstance, 'addHook'>): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, isNeverStored: true }
  })
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })
}
