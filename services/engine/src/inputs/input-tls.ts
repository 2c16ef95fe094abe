// The PEM files of an input that speaks TLS. They are read and judged at start.
import { readFileSync } from 'node:fs'
import { certificatesOf, pemBehind, privateKeyOf, type TlsPems } from '@roadworthy/kafka/tls-pem'
import { type SettingProblem, withSecrets } from '@roadworthy/service-kit/process/settings'

/** A setting and the path it holds. */
export type PemSetting = { readonly name: string; readonly path: string | undefined }

/** Everything that is wrong with the files is added to `problems`, by the name of its setting. */
export function readTls(settings: { ca: PemSetting; cert: PemSetting; key: PemSetting }, problems: SettingProblem[]): TlsPems {
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
    const [absent, present] = settings.cert.path === undefined ? [settings.cert, settings.key] : [settings.key, settings.cert]
    refuse(absent, `${present.name} is set: a certificate and its private key go together; set both or neither.`)
  }
  const [own] = cert === undefined ? [] : certificatesOf(cert)
  if (own !== undefined && privateKey !== undefined && !own.checkPrivateKey(privateKey)) {
    refuse(settings.key, `it is not the private key of the certificate in ${settings.cert.name}.`)
  }
  const shown = { ...(ca === undefined ? {} : { ca }), ...(cert === undefined ? {} : { cert }) }
  return key === undefined ? shown : withSecrets(shown, { key })
}

/** The setting that an error of a connection speaks of, or undefined. `prefix` is that of the settings, for example `ENGINE_MQTT_TLS`. */
export function tlsSettingBehind(code: unknown, prefix: string): string | undefined {
  const pem = pemBehind(code)
  return pem === undefined ? undefined : `${prefix}_${pem.toUpperCase()}_FILE`
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
