// Goal: nothing but public addresses is called, however it is spelt, whatever DNS answers and whenever it answers something else. Method: a table
// of forms, and a resolver that the test holds. That nothing is sent either is shown with a real listener in send-webhook.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Address, ForbiddenTargetError, type ResolveName, wrongCidrs } from '@roadworthy/service-kit/network/address-guard'
import { createTargetGuard } from './target-guard.ts'
import { forbiddenHosts, resolveForbidden } from './test-addresses.ts'

const { signal } = new AbortController()

const answering =
  (...addresses: string[]): ResolveName =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

async function addressesOf(url: string, resolveName: ResolveName, allowCidrs = ''): Promise<readonly Address[]> {
  const guard = createTargetGuard({ allowCidrs, resolveName })
  return await guard.addressesOf(guard.readUrl(url), signal)
}

test(`each of ${forbiddenHosts.length} forms of what is not public is refused`, async (t) => {
  assert.ok(new Set(forbiddenHosts).size >= 60)
  for (const host of forbiddenHosts) {
    await t.test(host, async () => {
      await assert.rejects(addressesOf(`https://${host}/hook`, resolveForbidden), ForbiddenTargetError)
    })
  }
})

test('a public address is called at the addresses that were looked at, of either family', async () => {
  const both: Address[] = [
    { address: '93.184.215.14', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ]
  assert.deepEqual(await addressesOf('https://hooks.example.com/', answering('93.184.215.14', '2606:4700::1')), both)
  assert.deepEqual(await addressesOf('https://93.184.215.14:8443/', resolveForbidden), [{ address: '93.184.215.14', family: 4 }])
  assert.deepEqual(await addressesOf('https://[2606:4700::1]/', resolveForbidden), [{ address: '2606:4700::1', family: 6 }])
})

test('what the text alone shows to be wrong is refused', () => {
  const guard = createTargetGuard({ allowCidrs: '0.0.0.0/0', resolveName: answering('93.184.215.14') })
  const wrong = [
    ...['', 'hooks.example.com', '/hook', 'ftp://hooks.example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'https://'],
    ...['https://user@hooks.example.com/', 'https://user:secret@hooks.example.com/', 'https://hooks.example.com:22/', 'https://h:25/'],
    ...[
      'https://[fe80::1%25eth0]/',
      'https://h:65536/',
      `https://hooks.example.com/${'x'.repeat(2000)}`,
      `https://${'a.'.repeat(130)}com/`,
    ],
  ]
  for (const url of wrong) assert.throws(() => guard.readUrl(url), ForbiddenTargetError, url)
  for (const url of ['https://h:443/', 'https://h:80/', 'https://h:1024/', 'https://h:65535/?a=b#c']) guard.readUrl(url)
})

test('http is for allowed networks only', async () => {
  const publicly = answering('93.184.215.14')
  await assert.rejects(addressesOf('http://hooks.example.com/', publicly), /https only/)
  await assert.rejects(addressesOf('http://hooks.example.com/', publicly, '10.0.0.0/8'), /https only/)
  assert.equal((await addressesOf('http://hooks.internal/', answering('10.1.2.3'), '10.0.0.0/8')).length, 1)
})

test('a network that is allowed is allowed, and no other', async () => {
  const allow = '10.20.0.0/16, fd00:20::/32 127.0.0.0/8'
  for (const [host, address] of [
    ['https://10.20.1.2/', '10.20.1.2'],
    ['https://erp.corp/', '10.20.1.2'],
    ['https://[fd00:20::1]/', 'fd00:20::1'],
    ['http://localhost:9000/', '127.0.0.1'],
  ] as const) {
    assert.equal((await addressesOf(host, answering(address), allow))[0]?.address, address)
  }
  // A public address may stand beside an allowed one, under a name of the outside.
  assert.equal((await addressesOf('https://hooks.example.com/', answering('10.20.1.2', '93.184.215.14'), allow)).length, 2)
  for (const [host, ...addresses] of [
    ['https://10.21.1.2/'],
    ['https://erp.corp/', '10.20.1.2', '10.21.1.2'],
    ['https://erp.corp/', '93.184.215.14'],
    ['https://hooks.example.com/', '10.20.1.2', '192.168.1.1'],
    ['https://[fd00:21::1]/'],
  ] as const) {
    await assert.rejects(addressesOf(host, answering(...addresses), allow), ForbiddenTargetError, host)
  }
})

test('a name that is public once and private the next time is judged each time', async () => {
  let answers = 0
  const rebinding: ResolveName = async () => [{ address: answers++ % 2 === 0 ? '93.184.215.14' : '127.0.0.1', family: 4 }]
  const guard = createTargetGuard({ allowCidrs: '', resolveName: rebinding })
  for (let i = 0; i < 1000; i++) {
    const looked = guard.addressesOf(new URL('https://rebind.example.com/'), signal)
    if (i % 2 === 0) assert.deepEqual(await looked, [{ address: '93.184.215.14', family: 4 }])
    else await assert.rejects(looked, ForbiddenTargetError)
  }
})

test('a name without an address, and a resolver that fails, are not forbidden but unreachable', async () => {
  await assert.rejects(addressesOf('https://nobody.example.com/', answering()), /nobody\.example\.com has no address/)
  await assert.rejects(addressesOf('https://nobody.example.com/', resolveForbidden), { code: 'ENOTFOUND' })
})

test('what is no network is reported', () => {
  assert.deepEqual(wrongCidrs(''), [])
  assert.deepEqual(wrongCidrs('10.0.0.0/8,fd00::/8'), [])
  assert.deepEqual(wrongCidrs('10.0.0.0, 10.0.0.0/33 ::/129 a/8'), ['10.0.0.0', '10.0.0.0/33', '::/129', 'a/8'])
})
