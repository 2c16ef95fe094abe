import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHttpApp, speakSurface } from '@roadworthy/service-kit/http/http'
import { platformSurface } from '../../surfaces/errors.ts'
import { type SecurityTxtDeps, serveSecurityTxt } from './security-txt.ts'

const now = () => new Date('2026-03-01T12:00:00.000Z')

async function ask(deps: Partial<SecurityTxtDeps>) {
  const app = createHttpApp({ logger: false })
  speakSurface(app, platformSurface)
  serveSecurityTxt(app, { now, ...deps })
  const answer = await app.inject('/.well-known/security.txt')
  await app.close()
  return answer
}

test('the contact of the operator is published in the form of RFC 9116, and expires within a year', async () => {
  const { statusCode, headers, body } = await ask({ securityContact: 'mailto:security@example.com', baseUrl: 'https://fleet.example.com/' })
  assert.deepEqual([statusCode, headers['content-type']], [200, 'text/plain; charset=utf-8'])
  assert.equal(
    body,
    [
      'Contact: mailto:security@example.com',
      'Expires: 2026-08-28T12:00:00.000Z',
      'Preferred-Languages: en',
      'Canonical: https://fleet.example.com/.well-known/security.txt',
      '',
    ].join('\r\n'),
  )
})

test('without a contact there is no such file, and without an address of one’s own none is claimed', async () => {
  assert.equal((await ask({})).statusCode, 404)
  assert.doesNotMatch((await ask({ securityContact: 'https://example.com/report' })).body, /Canonical/)
})
