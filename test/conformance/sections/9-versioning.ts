import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readOpenApi, routesOf } from '../../support/open-api.ts'
import { assertKeys, callerAt, ok, type Row, type Service } from '../../support/service.ts'

/** Spec §5.1, and the three that DECISIONS adds. */
const SCOPES = [
  ...['sub_clients:read', 'sub_clients:manage', 'devices:write', 'vehicles:write', 'devices:read', 'vehicles:read', 'predict'],
  ...['telemetry:write', 'telemetry:read', 'tracking:write', 'tracking:read', '*', 'billing:read', 'billing:write', 'webhooks:manage'],
]

export function versioningSection(service: Service): void {
  suite('9 Versioning', () => {
    test('the External health reports status, version 2.0.0 and the available scopes', async () => {
      const body = ok<Row & { scopes: string[] }>(await callerAt(service.baseUrl, null)('GET', '/api/external/health'))
      assertKeys(body, ['status', 'version', 'scopes'])
      assert.deepEqual([body['status'], body['version']], ['healthy', '2.0.0'])
      assert.deepEqual([...body.scopes].sort(), [...SCOPES].sort())
    })

    test('the surfaces have the prefixes of the specification, and the engine the same version', async () => {
      for (const [name, prefix] of [
        ['external', '/api/external/'],
        ['platform-v1', '/api/v1/'],
      ] as const) {
        const document = readOpenApi(name)
        assert.equal(document.info.version, '2.0.0')
        for (const { path } of routesOf(document)) assert.ok(path.startsWith(prefix), path)
      }
      assert.equal(ok<Row>(await service.engine('GET', '/v1/health'))['version'], '2.0.0')
    })
  })
}
