// The PEM files of an input that speaks TLS. They are read and judged at start: what a TLS library says of a wrong file, it says late, in
// the words of OpenSSL, and of a wrong authority file nothing at all.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type SettingProblem, withSecrets } from '@roadworthy/service-kit/settings'

/** The private key is not enumerable, as secrets are. */
export type TlsFiles = { readonly ca?: string; readonly cert?: string; readonly key?: string }

/** A setting and the path it holds. */
export type PemSetting = { readonly name: string; readonly path: string | undefined }

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

/** Everything that is wrong with the files is added to `problems`, by the name of its setting. */
export function readTls(settings: { ca: PemSetting; cert: PemSetting; key: PemSetting }, problems: SettingProblem[]): TlsFiles {
  const ca = readPem(settings.ca, problems)
  const cert = readPem(settings.cert, problems)
  const key = readPem(settings.key, problems)
  const refuse = ({ name, path }: PemSetting, fix: string) => problems.push({ name, value: path, source: 'settings', fix })
  for (const [setting, pem] of [
    [settings.ca, ca],
    [settings.cert, cert],
  ] as const) {
    if (pem !== undefined && certificatesOf(pem).length === 0) refuse(setting, 'it holds no certificate that can be read. PEM is wanted.')
  }
  const privateKey = key === undefined ? undefined : privateKeyOf(key)
  if (key !== undefined && privateKey === undefined) {
    refuse(settings.key, 'it holds no private key that can be read. PEM without a passphrase is wanted.')
  }
  if ((settings.cert.path === undefined) !== (settings.key.path === undefined)) {
    const absent = settings.cert.path === undefined ? settings.cert : settings.key
    refuse(absent, 'a certificate and its private key go together: set both or neither.')
  }
  const [own] = cert === undefined ? [] : certificatesOf(cert)
  if (own !== undefined && privateKey !== undefined && !own.checkPrivateKey(privateKey)) {
    refuse(settings.key, `it is not the private key of the certificate in ${settings.cert.name}.`)
  }
  const shown = { ...(ca === undefined ? {} : { ca }), ...(cert === undefined ? {} : { cert }) }
  return key === undefined ? shown : withSecrets(shown, { key })
}

/** What the TLS library takes: the same with the private key for it to find. */
export function toTlsOptions(files: TlsFiles): { ca?: string; cert?: string; key?: string } {
  return { ...files, ...(files.key === undefined ? {} : { key: files.key }) }
}

/** Codes of Node and OpenSSL, and the file they speak of. */
const filesBehind: Readonly<Record<string, 'CA' | 'CERT'>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'CA',
  SELF_SIGNED_CERT_IN_CHAIN: 'CA',
  UNABLE_TO_GET_ISSUER_CERT: 'CA',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'CA',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'CA',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'CERT',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'CERT',
}

/** The setting that an error of a connection speaks of, or undefined. `prefix` is that of the settings, for example `ENGINE_MQTT_TLS`. */
export function tlsSettingBehind(code: unknown, prefix: string): string | undefined {
  const file = typeof code === 'string' && Object.hasOwn(filesBehind, code) ? filesBehind[code] : undefined
  return file === undefined ? undefined : `${prefix}_${file}_FILE`
}

function readPem({ name, path }: PemSetting, problems: SettingProblem[]): string | undefined {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const fix = `the file cannot be read (${(error as NodeJS.ErrnoException).code}).`
    problems.push({ name, value: path, source: 'settings', fix })
    return undefined
  }
}

/** None where one of them cannot be read. */
function certificatesOf(pem: string): X509Certificate[] {
  try {
    return (pem.match(CERTIFICATE) ?? []).map((block) => new X509Certificate(block))
  } catch {
    // Told by the caller: which file it is says more than OpenSSL does.
    return []
  }
}

function privateKeyOf(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    // Told by the caller.
    return undefined
  }
}
