import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailRefusalOf } from './mail-refusal.ts'

const refused = (command: string, response: string) =>
  mailRefusalOf(Object.assign(new Error(), { code: 'EENVELOPE', command, response, responseCode: Number(response.slice(0, 3)) }))

test('a reply 5xx about the message is for good, and one about the service or 4xx is not', () => {
  for (const command of ['RCPT TO', 'DATA']) {
    assert.deepEqual(refused(command, '550 5.1.1 No such user.'), {
      outcome: 'refused',
      reason: 'The mail server answered 550: 5.1.1 No such user.',
    })
    assert.equal(refused(command, '451 4.7.1 Greylisted').outcome, 'not_now')
  }
  assert.deepEqual(refused('MAIL FROM', '550 5.7.1 Not your sender'), {
    outcome: 'not_now',
    reason: 'The mail server answered 550: 5.7.1 Not your sender.',
  })
})

test('a reply is quoted in one bounded line, without what lets in who reads it', () => {
  const reasonOf = (response: string) => refused('DATA', response).reason
  assert.equal(
    reasonOf('550-5.1.1 The mailbox\n550-5.1.1 \u001b[31mdoes not\n550 5.1.1 exist \u202eyet'),
    'The mail server answered 550: 5.1.1 The mailbox [31mdoes not exist yet.',
  )
  assert.equal(reasonOf('554'), 'The mail server answered 554.')
  const long = reasonOf(`554 5.6.0 ${'y'.repeat(2_000)}`)
  assert.ok(long.length <= 340 && long.endsWith('y….'), long)
  const token = `acme.ntf-1a.1700000000.${'Ab-_'.repeat(10)}xyz`
  assert.equal(
    reasonOf(`554 5.7.1 Blocked: https://fleet.example/acknowledge/${token}`),
    'The mail server answered 554: 5.7.1 Blocked: https://fleet.example/acknowledge/acme.ntf-1a.1700000000.***.',
  )
})

test('where the mail server is, and what it has against the account of the service, is not in the reason', () => {
  const reasonOf = (fields: object) => mailRefusalOf(Object.assign(new Error('at 10.0.0.5'), fields))
  const reasons = [
    [
      { code: 'EAUTH', command: 'AUTH PLAIN', response: '535 5.7.8 fleet@acme.example', responseCode: 535 },
      'refuses the account of the service.',
    ],
    [
      { code: 'EAUTH', command: 'AUTH PLAIN', response: '454 4.7.0 fleet@acme.example later', responseCode: 454 },
      'cannot check the account of the service now.',
    ],
    [{ code: 'EAUTH', command: 'API' }, 'refuses the account of the service.'],
    [{ code: 'EPROTOCOL', command: 'CONN', response: '554 mx1.acme.internal', responseCode: 554 }, 'did not take the message.'],
    [{ code: 'EDNS', originalCode: 'ENOTFOUND' }, 'cannot be reached.'],
    [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED' }, 'cannot be reached.'],
    [{ code: 'ETIMEDOUT' }, 'did not answer in time.'],
  ] as const
  for (const [fields, said] of reasons) assert.deepEqual(reasonOf(fields), { outcome: 'not_now', reason: `The mail server ${said}` })
})
