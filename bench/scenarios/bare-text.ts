// The yardstick of a long answer: Fastify with one route that sends the text that came over stdin.
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'

const answer = await text(process.stdin)
const app = Fastify({ logger: false })
app.get('/', (_request, reply) => {
  reply.type('application/x-ndjson').send(answer)
})
await app.listen({ port: 0, host: '127.0.0.1' })
console.log(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
process.on('SIGTERM', () => process.exit(0))
