// Certificates: as a server shows them, and as files that the service is to show.

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import { type Finding, okay, warning, wrong } from '../finding.ts'
import type { NamedHost } from './check-names.ts'

const TIMEOUT_MS = 5_000
const DAY_MS = 86_400_000
const SOON_DAYS = 14

export type TlsTarget = { readonly host: string; readonly port: number; readonly now: Date; readonly ca?: string | Buffer }

/** What a client that trusts the usual authorities would refuse. */
export async function checkServerCertificate(name: string, target: TlsTarget): Promise<Finding> {
  const { host, port, now } = target
  const where = `${host}:${port}`
  let socket: TLSSocket | undefined
  try {
    socket = await handshake(target)
    const certificate = socket.getPeerCertificate(false)
    // Node's types have an Error; it is the code as a string.
    const code = String(socket.authorizationError ?? '')
    return socket.authorized ? judgeAge(name, where, certificate, now) : refused(name, { where, host, code, certificate })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return wrong(name, {
      detail: `${where} does not speak TLS (${code ?? message}).`,
      why: 'Clients that were given an https or mqtts address cannot connect.',
      fix: 'Check the port, and that the proxy or broker there has a certificate configured.',
    })
  } finally {
    socket?.destroy()
  }
}

function handshake({ host, port, ca }: TlsTarget): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      rejectUnauthorized: false,
      servername: /^[\d.:[\]]+$/.test(host) ? '' : host,
      ...(ca === undefined ? {} : { ca }),
    })
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no answer in ${TIMEOUT_MS / 1000} s`)))
    socket.once('secureConnect', () => resolve(socket))
    socket.once('error', reject)
  })
}

type Refusal = { readonly where: string; readonly host: string; readonly code: string; readonly certificate: PeerCertificate }

function refused(name: string, { where, host, code, certificate }: Refusal): Finding {
  const why = 'Browsers, devices and other services refuse the connection.'
  if (code.includes('CERT_HAS_EXPIRED')) {
    const fix = 'Renew it (certbot renew, or your authority), and have the proxy or broker load it again.'
    return wrong(name, { detail: `the certificate at ${where} expired on ${certificate.valid_to}.`, why, fix })
  }
  if (code.includes('ALTNAME') || code.includes('HOSTNAME')) {
    const names = certificate.subjectaltname ?? JSON.stringify(certificate.subject)
    const fix = `Have one issued for ${host}, or use a name that it has.`
    return wrong(name, { detail: `the certificate at ${where} is for ${names}, not for ${host}.`, why, fix })
  }
  if (code.includes('UNABLE_TO_VERIFY_LEAF_SIGNATURE') || code.includes('UNABLE_TO_GET_ISSUER_CERT')) {
    const fix = 'Configure the whole chain: the file that holds the certificate and then those of its issuers (fullchain.pem of certbot).'
    return wrong(name, { detail: `${where} shows its certificate without the chain to an authority that is trusted here.`, why, fix })
  }
  const fix = 'Use one of a public authority, or install your own authority where clients run; for this command set NODE_EXTRA_CA_CERTS.'
  return wrong(name, { detail: `the certificate at ${where} is not trusted here (${code}).`, why, fix })
}

function judgeAge(name: string, where: string, { valid_to }: Pick<PeerCertificate, 'valid_to'>, now: Date): Finding {
  const days = Math.floor((Date.parse(valid_to) - now.getTime()) / DAY_MS)
  if (days >= SOON_DAYS) return okay(name, `${where}: good for ${days} days`)
  return warning(name, {
    detail: `the certificate at ${where} expires on ${valid_to}, in ${days} days.`,
    why: 'From then on everybody refuses the connection.',
    fix: 'Renew it, and find out why that did not happen by itself.',
  })
}

export type CertificateFiles = {
  readonly certFile: string
  readonly keyFile: string
  /** The name that devices use, and the setting that it is of. */
  readonly host: NamedHost | undefined
  readonly now: Date
}

/** What devices are given; where that is not set, the name that everybody else uses. */
export function nameForDevices(mqttPublicHost: string | undefined, baseUrl: string | undefined): NamedHost | undefined {
  if (mqttPublicHost !== undefined) return { setting: 'MQTT_PUBLIC_HOST', host: mqttPublicHost }
  return baseUrl === undefined ? undefined : { setting: 'BASE_URL', host: new URL(baseUrl).hostname }
}

/** Of MQTT over TLS, before anybody connects. */
export function checkCertificateFiles(name: string, { certFile, keyFile, host, now }: CertificateFiles): Finding {
  const why = 'Devices cannot connect to MQTT over TLS.'
  try {
    const chain = readChain(certFile)
    const [leaf] = chain
    if (leaf === undefined)
      return wrong(name, { detail: `${certFile} holds no certificate.`, why, fix: 'Name a PEM file with the certificate and its chain.' })
    if (!leaf.checkPrivateKey(createPrivateKey(readFileSync(keyFile)))) {
      return wrong(name, {
        detail: `${keyFile} is not the key of ${certFile}.`,
        why,
        fix: 'Name the two files of one pair (fullchain.pem and privkey.pem of certbot).',
      })
    }
    if (Date.parse(leaf.validTo) < now.getTime()) {
      return wrong(name, {
        detail: `${certFile} expired on ${leaf.validTo}.`,
        why,
        fix: 'Renew it: a running service reads the files again every minute.',
      })
    }
    if (host !== undefined && !isFor(leaf, host.host)) {
      const fix = `Have one issued for ${host.host}, or give devices a name that it has (MQTT_PUBLIC_HOST).`
      return wrong(name, {
        detail: `${certFile} is for ${leaf.subjectAltName ?? leaf.subject}, not for ${host.host}, the host of ${host.setting}.`,
        why,
        fix,
      })
    }
    if (chain.length === 1 && leaf.issuer !== leaf.subject) {
      const fix = 'Put the certificates of its issuers after it in the same file (fullchain.pem of certbot).'
      return warning(name, {
        detail: `${certFile} has no chain: ${leaf.issuer.replaceAll('\n', ', ')} issued it.`,
        why: 'Devices that know only the root authority refuse it.',
        fix,
      })
    }
    return judgeAge(name, certFile, { valid_to: leaf.validTo }, now)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const fix = 'Name PEM files that the account of the service can read, the key without a passphrase.'
    return wrong(name, { detail: `${certFile} and ${keyFile} cannot be used (${code ?? message}).`, why, fix })
  }
}

function isFor(leaf: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host)) !== undefined
}

function readChain(file: string): X509Certificate[] {
  const blocks = readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}
