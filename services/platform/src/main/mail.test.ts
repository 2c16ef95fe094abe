// Goal: a letter reaches one mailbox as it was meant, and a mail server that fails leaves the link to be handed over. Method: a real SMTP
// server on loopback that keeps what it is sent.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Letter } from '../people/post.ts'
import { createPost, type MailServer } from './mail.ts'
import { startMailServer } from './test-mail-server.ts'
import { readMail } from './test-read-mail.ts'

const letter: Letter = {
  kind: 'invitation',
  email: 'anna@acme.example',
  resellerId: 'acme',
  subClientId: undefined,
  token: 'T'.repeat(43),
  expiresAt: new Date('2026-03-08T12:00:00.000Z'),
  language: undefined,
}

function postBy(mailServer: MailServer | undefined, name = 'Acme Telematics') {
  const errors: unknown[] = []
  const post = createPost({
    mailServer,
    present: async () => ({ name, baseUrl: 'https://fleet.acme.example' }),
    random: () => 0,
    log: { error: (...logged: unknown[]) => void errors.push(logged) },
  })
  return { post, errors }
}

test('an invitation goes to the one address, with the link that the person is to follow', async (t) => {
  const { url, received } = await startMailServer(t)
  const { post } = postBy({ url, from: 'fleet@acme.example' })
  const link = `https://fleet.acme.example/invitation#${letter.token}`
  assert.deepEqual(await post.send(letter), { url: link, isMailed: true })
  const [mail] = received
  assert.deepEqual([mail?.from, mail?.to], ['fleet@acme.example', ['anna@acme.example']])
  assert.match(mail?.text ?? '', /^Subject: You are invited to Acme Telematics\r$/m)
  assert.match(mail?.text ?? '', /^From: Acme Telematics <fleet@acme\.example>\r$/m)
  assert.ok(mail?.text.replaceAll('=\r\n', '').includes(link), mail?.text)
  assert.ok((await post.send({ ...letter, kind: 'password_reset' })).url.startsWith('https://fleet.acme.example/password#'))
  assert.match(received[1]?.text ?? '', /^Subject: Set a new password for Acme Telematics\r$/m)
})

test('a letter is in the language of who gets it', async (t) => {
  const { url, received } = await startMailServer(t)
  const { post } = postBy({ url, from: 'fleet@acme.example' })
  for (const kind of ['invitation', 'password_reset'] as const)
    for (const language of [undefined, 'de', 'es'] as const) await post.send({ ...letter, kind, language })
  const mails = received.map(({ text }) => readMail(text))
  const subjects = mails.map(({ subject }) => subject)
  assert.deepEqual(subjects, [
    ...['You are invited to Acme Telematics', 'Sie sind zu Acme Telematics eingeladen', 'Tiene una invitación a Acme Telematics'],
    'Set a new password for Acme Telematics',
    'Neues Passwort für Acme Telematics festlegen',
    'Elegir una contraseña nueva para Acme Telematics',
  ])
  const until = ['until 8 Mar 2026, 12:00 UTC', 'bis 8. März 2026, 12:00 UTC', 'hasta el 8 mar 2026, 12:00 UTC']
  for (const [nth, { text }] of mails.entries()) {
    assert.ok(text.includes(until[nth % 3] ?? ''), text)
    assert.ok(text.includes(`#${letter.token}`), text)
  }
})

test('a notice is marked as automatic, and stands with those about the same thing', async (t) => {
  const { url, received } = await startMailServer(t)
  const { post } = postBy({ url, from: 'fleet@acme.example' })
  const to = { email: 'anna@acme.example', resellerId: 'acme', subClientId: undefined }
  const write = () => ({ subject: 'Towing', text: 'Towing', threadId: 'inc-a' })
  await post.notify({ ...to, messageId: 'ntf-a', write })
  await post.notify({ ...to, messageId: 'ntf-b', write: () => ({ ...write(), threadId: undefined }) })
  await post.send(letter)
  for (const { text } of received) assert.match(text, /^Auto-Submitted: auto-generated\r$/m)
  assert.match(received[0]?.text ?? '', /^Message-ID: <ntf-a@acme\.example>\r$/m)
  for (const name of ['In-Reply-To', 'References']) {
    assert.match(received[0]?.text ?? '', new RegExp(`^${name}: <inc-a@acme\\.example>\r$`, 'm'))
    for (const { text } of received.slice(1)) assert.doesNotMatch(text, new RegExp(`^${name}:`, 'm'))
  }
})

test('what stands in a name or an address adds neither a header nor a recipient', async (t) => {
  const { url, received } = await startMailServer(t)
  const { post } = postBy({ url, from: 'fleet@acme.example' }, 'Evil\r\nBcc: victim@evil.example\r\n\r\nhello')
  await post.send({ ...letter, email: 'anna@acme.example,victim@evil.example' })
  for (const { to, text } of received) {
    assert.equal(to.length, 1)
    assert.doesNotMatch(text, /^Bcc:/im)
  }
})

test('a server that is busy is asked once more; one that refuses for good is not, and the link is left to be handed over', async (t) => {
  const busyOnce = await startMailServer(t, (attempt) => (attempt === 1 ? 451 : undefined))
  assert.equal((await postBy({ url: busyOnce.url, from: 'f@acme.example' }).post.send(letter)).isMailed, true)
  assert.equal(busyOnce.received.length, 1)
  let attempts = 0
  const refusing = await startMailServer(t, (attempt) => {
    attempts = attempt
    return 554
  })
  const { post, errors } = postBy({ url: refusing.url, from: 'f@acme.example' })
  assert.equal((await post.send(letter)).isMailed, false)
  assert.deepEqual([attempts, errors.length], [1, 1])
  assert.ok(!JSON.stringify(errors).includes(letter.token))
})

test('a server that is away leaves the link to be handed over, as having none does', async () => {
  const closed = net.createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  const away = postBy({ url: `smtp://127.0.0.1:${port}`, from: 'f@acme.example' })
  assert.equal((await away.post.send(letter)).isMailed, false)
  assert.equal(away.errors.length, 2)
  assert.equal((await postBy(undefined).post.send(letter)).isMailed, false)
})
