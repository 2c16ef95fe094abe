import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dynamicSecurityConfiguration } from './mosquitto-files.ts'

const passwordHash = '$7$1000$c2FsdA==$a2V5'

test('the dynamic-security plugin lets a device in under its device id only, and the platform under any client id', () => {
  const device = { resellerId: 'acme', deviceId: 'dev-aaaaaaaa0001', passwordHash }
  const configuration = dynamicSecurityConfiguration('fleet', { username: 'roadworthy', passwordHash }, [device])
  const { clients } = configuration as { clients: { username: string; clientid?: string }[] }
  assert.deepEqual(
    clients.map(({ username, clientid }) => [username, clientid]),
    [
      ['roadworthy', undefined],
      ['acme/dev-aaaaaaaa0001', 'dev-aaaaaaaa0001'],
    ],
  )
})
