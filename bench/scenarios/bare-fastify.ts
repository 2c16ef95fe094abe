// The yardstick: Fastify with nothing on it. `POST /` parses the body and answers `{"ok":true}`; `POST /same` answers what it is given in
// ANSWER, so that as many bytes go back as from the engine.
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'

const answer: unknown = JSON.parse(process.env['ANSWER'] ?? '{}')
const app = Fastify({ logger: false, bodyLimit: 16 * 1024 * 1024 })
app.post('/', (_request, reply) => {
  reply.send({ ok: true })
})
app.post('/same', (_request, reply) => {
  reply.send(answer)
})
await app.listen({ port: 0, host: '127.0.0.1' })
console.log(`ready bare http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
process.on('SIGTERM', () => process.exit(0))
process.stdin.on('close', () => process.exit(0)).resume()
