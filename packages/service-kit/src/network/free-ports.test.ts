import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { findFreePorts } from './free-ports.ts'

test('as many as asked for, all different, free, and none that a connection going out may get', async () => {
  const ports = await findFreePorts(50)
  assert.equal(new Set(ports).size, 50)
  const servers = ports.map((port) => createServer().listen(port, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
  const range = process.platform === 'linux' ? readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8') : '32768'
  for (const port of ports) assert.ok(port >= 1024 && port < Number.parseInt(range, 10), String(port))
})

test('an address of another machine is refused by its name', async () => {
  await assert.rejects(findFreePorts(1, '192.0.2.1'), /EADDRNOTAVAIL/)
})
