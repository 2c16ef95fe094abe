// Goal: a letter reaches one mailbox as it was meant, and a mail server that fails leaves the link to be handed over. Method: a real SMTP
// server on loopback that keeps what it is sent.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import type { Letter } from '../people/post.ts'
import { type AnswerMs, createPost, type MailServer } from './mail.ts'
import { startMailServer } from './test-mail-server.ts'
import { readMail } from './test-read-mail.ts'

const NOT_SECURED = 'The connection to the mail server cannot be secured with TLS.'

/** By the verb of a command, and `.` for the end of a message; `cut`: the connection ends instead. */
type Replies = Readonly<Record<string, string>>
const TAKEN: Replies = { DATA: '354 go on', QUIT: '221 bye' }

/** Replies as it is set, to clients that send one command at a time. */
async function startScriptedServer(t: TestContext, replies: Replies): Promise<string> {
  const server = net.createServer((socket) => {
    let isInMessage = false
    socket.on('error', () => undefined)
    socket.write('220 ready\r\n')
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      if (isInMessage && !text.endsWith('\r\n.\r\n')) return
      const verb = isInMessage ? '.' : (/^[A-Z]+/.exec(text)?.[0] ?? '')
      const reply = replies[verb] ?? TAKEN[verb] ?? '250 ok'
      isInMessage = reply.startsWith('354')
      if (reply === 'cut') socket.destroy()
      else socket.write(`${reply}\r\n`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const letter: Letter = {
  kind: 'invitation',
  email: 'anna@acme.example',
  resellerId: 'acme',
  subClientId: undefined,
  token: 'T'.repeat(43),
  expiresAt: new Date('2026-03-08T12:00:00.000Z'),
  language: undefined,
}

function postBy(mailServer: MailServer | undefined, name = 'Acme Telematics', answerMs?: AnswerMs) {
  const errors: unknown[] = []
  const post = createPost({
    mailServer,
    present: async () => ({ name, baseUrl: 'https://fleet.acme.example' }),
    random: () => 0,
    log: { error: (...logged: unknown[]) => void errors.push(logged) },
    ...(answerMs === undefined ? {} : { answerMs }),
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
  await post.notify({ ...to, senderName: 'North, Ltd', messageId: 'ntf-b', write: () => ({ ...write(), threadId: undefined }) })
  await post.send(letter)
  for (const { text } of received) assert.match(text, /^Auto-Submitted: auto-generated\r$/m)
  assert.match(received[0]?.text ?? '', /^Message-ID: <ntf-a@acme\.example>\r$/m)
  const senders = received.map(({ text }) => /^From: (.*) <fleet@acme\.example>\r$/m.exec(text)?.[1])
  assert.deepEqual(senders, ['Acme Telematics', '"North, Ltd"', 'Acme Telematics'])
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

test('what came of a notice is known: what the server refuses for good, and what it may take another time, each with the reason', async (t) => {
  const notice = { email: 'anna@acme.example', resellerId: 'acme', subClientId: undefined, messageId: 'ntf-a' }
  const outcomeOf = async (replies: Replies, account = '') => {
    const url = (await startScriptedServer(t, replies)).replace('//', `//${account}`)
    const { post } = postBy({ url, from: 'f@acme.example' })
    return await post.notify({ ...notice, write: () => ({ subject: 'Towing', text: 'Towing' }) })
  }
  assert.deepEqual(await outcomeOf({}), { outcome: 'sent' })
  assert.deepEqual(await outcomeOf({ RCPT: '550-5.1.1 No such\r\n550 5.1.1 user' }), {
    outcome: 'refused',
    reason: 'The mail server answered 550: 5.1.1 No such user.',
  })
  assert.deepEqual(await outcomeOf({ '.': '554 5.7.1 Spam.' }), { outcome: 'refused', reason: 'The mail server answered 554: 5.7.1 Spam.' })
  assert.deepEqual(await outcomeOf({ RCPT: '451 4.7.1 Greylisted' }), {
    outcome: 'not_now',
    reason: 'The mail server answered 451: 4.7.1 Greylisted.',
  })
  const notNow = (reason: string) => ({ outcome: 'not_now', reason })
  assert.deepEqual(await outcomeOf({ '.': 'cut' }), notNow('The connection to the mail server was cut.'))
  assert.deepEqual(await outcomeOf({ EHLO: '250-x\r\n250 STARTTLS', STARTTLS: '220 then not TLS' }), notNow(NOT_SECURED))
  const signingIn = (reply: string) => outcomeOf({ EHLO: '250-x\r\n250 AUTH PLAIN', AUTH: reply }, 'fleet:secret@')
  assert.deepEqual(await signingIn('535 5.7.8 Bad'), notNow('The mail server refuses the account of the service.'))
  const isForNow = notNow('The mail server cannot check the account of the service now.')
  assert.deepEqual(await signingIn('454 4.7.0 Directory away'), isForNow)
  const { post } = postBy(undefined)
  assert.deepEqual(
    await post.notify({ ...notice, write: () => ({ subject: 'Towing', text: 'Towing' }) }),
    notNow('The service has no mail server.'),
  )
})

test('a server that takes its time with the last reply is sent one message: a notice waits for it, and a letter is not sent twice', async (t) => {
  const taken: string[] = []
  let replyToNotice: (() => void) | undefined
  const noticeTaken = Promise.withResolvers<void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        taken.push(readMail(Buffer.concat(chunks).toString('utf8')).subject)
        replyToNotice ??= done
        noticeTaken.resolve()
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => new Promise<void>((resolve) => server.close(resolve)))
  const url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const { post } = postBy({ url, from: 'f@acme.example' }, 'Acme Telematics', { letter: 500, notice: 60_000 })
  const to = { email: 'anna@acme.example', resellerId: 'acme', subClientId: undefined, messageId: 'ntf-a' }
  const notified = post.notify({ ...to, write: () => ({ subject: 'Towing', text: 'Towing' }) })
  await noticeTaken.promise
  assert.equal((await post.send(letter)).isMailed, false)
  replyToNotice?.()
  assert.deepEqual(await notified, { outcome: 'sent' })
  // Whether the letter has come by now is not known: it was given up while it was under way.
  const [notice, ...letters] = taken
  assert.equal(notice, 'Towing')
  assert.ok(letters.length <= 1 && !letters.includes('Towing'), taken.join())
})

test('a server whose certificate is not trusted gets no notice', async (t) => {
  const server = new SMTPServer({ authOptional: true, logger: false })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => new Promise<void>((resolve) => server.close(resolve)))
  const { post } = postBy({ url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, from: 'f@acme.example' })
  const to = { email: 'anna@acme.example', resellerId: 'acme', subClientId: undefined, messageId: 'ntf-a' }
  assert.deepEqual(await post.notify({ ...to, write: () => ({ subject: 'Towing', text: 'Towing' }) }), {
    outcome: 'not_now',
    reason: NOT_SECURED,
  })
})

test('a server that is away leaves the link to be handed over, as having none does', async () => {
  // Port 1 is given to nobody who asks for any.
  const away = postBy({ url: 'smtp://127.0.0.1:1', from: 'f@acme.example' })
  assert.equal((await away.post.send(letter)).isMailed, false)
  assert.equal(away.errors.length, 2)
  assert.equal((await postBy(undefined).post.send(letter)).isMailed, false)
})
