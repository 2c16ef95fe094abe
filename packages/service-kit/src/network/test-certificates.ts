// Certificates for tests: an authority of our own, a broker at 127.0.0.1 and a client that it has signed, and an authority nobody knows.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const OPENSSL_BOUND_MS = 60_000
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

type Identity = { readonly certFile: string; readonly keyFile: string }
export type Certificates = {
  readonly authority: Identity
  readonly broker: Identity
  readonly client: Identity
  /** Signed by itself: nothing above trusts it. */
  readonly stranger: Identity
}

export const hasOpenssl = isThere()

/** All of it as PEM files of `folder`. The broker's is for 127.0.0.1 and localhost. */
export function makeCertificates(folder: string): Certificates {
  const authority = sign(folder, 'authority', [])
  return {
    authority,
    broker: sign(folder, 'broker', ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost', ...signedBy(authority)]),
    client: sign(folder, 'client', signedBy(authority)),
    stranger: sign(folder, 'stranger', []),
  }
}

function signedBy({ certFile, keyFile }: Identity): string[] {
  return ['-CA', certFile, '-CAkey', keyFile, '-addext', 'basicConstraints=critical,CA:FALSE']
}

function sign(folder: string, name: string, extra: readonly string[]): Identity {
  const identity = { certFile: join(folder, `${name}.pem`), keyFile: join(folder, `${name}.key`) }
  const files = ['-keyout', identity.keyFile, '-out', identity.certFile]
  const args = ['req', '-x509', ...KEY, '-days', '2', '-subj', `/CN=roadworthy-test-${name}`, ...extra, ...files]
  execFileSync('openssl', args, { stdio: 'ignore', timeout: OPENSSL_BOUND_MS })
  return identity
}

function isThere(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore', timeout: OPENSSL_BOUND_MS })
    return true
  } catch {
    return false
  }
}
