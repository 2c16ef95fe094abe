// Goal: the process keeps the promises its parent relies on. Method: run it as the platform does, with a free port.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { runEngine, spawnEngine } from './testing-process.ts'

test('it prints one ready line, answers there, and on SIGTERM exits 0', { timeout: 300_000 }, async (t) => {
  // As the platform starts it.
  const { child, exited, url, lines } = await runEngine(t, ['--log-level', 'warn', '--exit-with-parent'])
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

test('with --exit-with-parent it stops by itself when its standard input closes', { timeout: 300_000 }, async (t) => {
  const { child, exited } = await runEngine(t, ['--exit-with-parent'])
  child.stdin.end()
  assert.deepEqual(await exited, [0, null])
})

test('a broker that never answers does not hold up a stop', { timeout: 300_000 }, async (t) => {
  const mute = createServer().listen(0, '127.0.0.1')
  t.after(() => mute.close())
  await once(mute, 'listening')
  const broker = `127.0.0.1:${(mute.address() as { port: number }).port}`
  for (const args of [
    ['--engine-input', 'stream', '--engine-kafka-brokers', broker],
    ['--engine-input', 'mqtt', '--engine-mqtt-url', `mqtt://${broker}`],
  ]) {
    const connected = once(mute, 'connection')
    const { child, exited } = await runEngine(t, args)
    const log = text(child.stderr)
    await connected
    child.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null])
    assert.doesNotMatch(await log, /was not stopped/)
    assert.match(await log, /"stopped"/)
  }
})

test('a port in use and bad settings are one clear line each, and exit codes 1 and 2', { timeout: 300_000 }, async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const inUse = new RegExp(`^ENGINE_PORT is "${port}": it is in use[^\\n]*\\n$`)
  const twoOnStream = ['--workers', '2', '--engine-input', 'stream', '--engine-kafka-brokers', '127.0.0.1:1']
  for (const [args, expected, exitCode] of [
    [['--port', String(port)], inUse, 1],
    [['--port', String(port), '--workers', '2'], inUse, 1],
    [['--port', 'many'], /^ENGINE_PORT is "many"[^\n]*\n$/, 2],
    [twoOnStream, /^ENGINE_WORKERS is "2" .*ENGINE_INPUT=stream keeps the windows of vehicles in one process[^\n]*\n$/, 2],
  ] as const) {
    const { child, exited } = spawnEngine(t, ['--log-level', 'warn', ...args])
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    const [code] = await exited
    assert.equal(code, exitCode)
    assert.match(stderr, expected)
  }
})
