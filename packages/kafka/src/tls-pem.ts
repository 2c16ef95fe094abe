// Certificates and keys as PEM, judged before they are used: a TLS library reports a wrong one late, in the words of OpenSSL,
// and of a wrong authority nothing at all.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'

/** PEM texts. The private key is not enumerable, as secrets are. */
export type TlsPems = { readonly ca?: string; readonly cert?: string; readonly key?: string }

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

/** None where one of them cannot be read. */
export function certificatesOf(pem: string): X509Certificate[] {
  try {
    return (pem.match(CERTIFICATE) ?? []).map((block) => new X509Certificate(block))
  } catch {
    // Reported by the caller: its name is more useful than the words of OpenSSL.
    return []
  }
}

/** Undefined where there is none, or one with a passphrase. */
export function privateKeyOf(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    // Reported by the caller.
    return undefined
  }
}

/** What the TLS library takes: the same with the private key for it to find. */
export function toTlsOptions(pems: TlsPems): { ca?: string; cert?: string; key?: string } {
  return { ...pems, ...(pems.key === undefined ? {} : { key: pems.key }) }
}

/** Codes of Node and OpenSSL, and the PEM they refer to. */
const pemsBehind: Readonly<Record<string, 'ca' | 'cert'>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'ca',
  SELF_SIGNED_CERT_IN_CHAIN: 'ca',
  UNABLE_TO_GET_ISSUER_CERT: 'ca',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'ca',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'ca',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'cert',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'cert',
}

/** What an error of a connection speaks of, or undefined. */
export function pemBehind(code: unknown): 'ca' | 'cert' | undefined {
  return typeof code === 'string' && Object.hasOwn(pemsBehind, code) ? pemsBehind[code] : undefined
}
