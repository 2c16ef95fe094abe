// Goal: open bodies are bounded, whoever sends them and however it ends. Method: callers that stop half way, over sockets.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { startEngine } from './http/testing-engine.ts'

const BODY = '{"vehicleId":"V-1"}'

test('a body that does not fit beside those that are open is refused, and room is made by an answer as by a caller that goes away', async (t) => {
  const { app } = await startEngine(t, { maxOpenBodyBytes: 2 * BODY.length })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const open = (text: string): Socket => {
    const socket = connect(port, '127.0.0.1')
    t.after(() => socket.destroy())
    socket.write(`POST /v1/predict HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${text}`)
    return socket
  }
  const sized = `content-length: ${BODY.length}\r\n\r\n`
  const ask = async () => {
    const socket = open(`connection: close\r\n${sized}${BODY}`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    return answer.toString().slice(9, 12)
  }
  const openBytes = async () => Number(/^engine_open_body_bytes (\d+)$/m.exec((await app.inject('/metrics')).body)?.[1])
  const untilOpen = async (bytes: number) => {
    while ((await openBytes()) !== bytes) await nextTurn()
  }
  const halfSent = [open(`${sized}{`), open(`${sized}{`)]
  await untilOpen(2 * BODY.length)
  assert.equal(await ask(), '503')
  halfSent[0]?.write(BODY.slice(1))
  await untilOpen(BODY.length)
  assert.equal(await ask(), '200')
  halfSent[1]?.destroy()
  await untilOpen(0)

  // One that does not declare its length may be as long as the route takes; alone, it is let in all the same.
  const unsized = open('transfer-encoding: chunked\r\n\r\n1\r\n{\r\n')
  await untilOpen(1024 * 1024)
  assert.equal(await ask(), '503')
  unsized.destroy()
  await untilOpen(0)
  assert.equal(await ask(), '200')
})
