import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAddressGuard } from '@roadworthy/service-kit/network/address-guard'
import { networksWithDemo } from './demo-networks.ts'

async function isReached(allowCidrs: string, address: string): Promise<boolean> {
  const guard = createAddressGuard({ allowCidrs, resolveName: () => Promise.reject(new Error('no DNS in this test')) })
  return await guard(address, AbortSignal.timeout(1_000)).then(
    ({ isAllowed }) => isAllowed,
    () => false,
  )
}

test('the demo opens 127.0.0.1 and nothing else, and without it only what the settings name is open', async () => {
  for (const [allowCidrs, isDemo, reached] of [
    [undefined, false, []],
    [undefined, true, ['127.0.0.1']],
    ['10.20.0.0/16', false, ['10.20.0.1']],
    ['10.20.0.0/16, fd00::/8', true, ['127.0.0.1', '10.20.0.1']],
  ] as const) {
    const networks = networksWithDemo(allowCidrs, isDemo)
    const addresses = ['127.0.0.1', '127.0.0.2', '10.20.0.1', '10.30.0.1', '169.254.169.254', '::1']
    const open: string[] = []
    for (const address of addresses) if (await isReached(networks, address)) open.push(address)
    assert.deepEqual(open, reached)
  }
})
