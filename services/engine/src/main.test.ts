// Goal: the process keeps the promises its parent relies on. Method: run it as the platform does, with a free port.
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'

const MAIN = resolve(import.meta.dirname, 'main.ts')

function spawnEngine(
  t: TestContext,
  ...args: string[]
): { child: ChildProcessWithoutNullStreams; exited: Promise<[number | null, string | null]> } {
  const child = spawn(process.execPath, [MAIN, '--host', '127.0.0.1', ...args], { env: { PATH: process.env['PATH'] } })
  t.after(() => child.kill('SIGKILL'))
  return { child, exited: once(child, 'exit') as Promise<[number | null, string | null]> }
}

async function waitReady(child: ChildProcessWithoutNullStreams): Promise<{ url: string; lines: string[] }> {
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  await once(reader, 'line')
  const url = /^ready engine (http:\/\/127\.0\.0\.1:\d+)$/.exec(lines[0] ?? '')?.[1]
  assert.ok(url !== undefined, lines.join('\n'))
  return { url, lines }
}

test('it prints one ready line, answers there, and on SIGTERM exits 0', { timeout: 30_000 }, async (t) => {
  // As the platform starts it.
  const { child, exited } = spawnEngine(t, '--port', '0', '--log-level', 'warn', '--exit-with-parent')
  const { url, lines } = await waitReady(child)
  const health = await (await fetch(`${url}/v1/health`)).json()
  assert.equal((health as { status: string }).status, 'healthy')
  const answer = await fetch(`${url}/v1/predict`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"vehicleId":"V-1"}',
  })
  assert.equal(answer.status, 200)
  await answer.arrayBuffer()
  child.kill('SIGTERM')
  assert.deepEqual(await exited, [0, null])
  assert.equal(lines.length, 1)
})

test('a request that was under way when SIGTERM came is still answered', { timeout: 30_000 }, async (t) => {
  const { child, exited } = spawnEngine(t, '--port', '0')
  const { url } = await waitReady(child)
  const body = '{"vehicleId":"V-1"}'
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  t.after(() => socket.destroy())
  socket.write(`POST /v1/predict HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n{`)
  // An answer on another connection: by then the engine has read the headers of the first.
  await (await fetch(`${url}/v1/health`)).arrayBuffer()
  child.kill('SIGTERM')
  await once(child.stderr, 'data')
  socket.write(body.slice(1))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  assert.match(answer.toString(), /^HTTP\/1\.1 200 /)
  assert.deepEqual(await exited, [0, null])
})

test('with --exit-with-parent it stops by itself when its standard input closes', { timeout: 30_000 }, async (t) => {
  const { child, exited } = spawnEngine(t, '--port', '0', '--exit-with-parent')
  await waitReady(child)
  child.stdin.end()
  assert.deepEqual(await exited, [0, null])
})

test('a port in use and bad settings are one clear line each, and exit code 1', { timeout: 30_000 }, async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  for (const [args, expected] of [
    [['--port', String(port)], new RegExp(`^ENGINE_PORT is "${port}": it is in use`)],
    [['--port', 'many'], /^ENGINE_PORT is "many"/],
  ] as const) {
    const { child, exited } = spawnEngine(t, '--log-level', 'warn', ...args)
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    const [code] = await exited
    assert.equal(code, 1)
    assert.match(stderr, expected)
  }
})
