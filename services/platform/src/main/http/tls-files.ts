// The PEM files that settings name, judged before anything starts: the TLS library reports a wrong one late, and names no setting.

import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { certificatesOf } from '@roadworthy/kafka/tls-pem'
import type { PlatformSettings } from '../settings/settings.ts'

type PemFile = { readonly name: string; readonly path: string }

/** A line for every file that cannot be used. */
export function checkTlsFiles(settings: PlatformSettings): string[] {
  return [
    ...checkIdentity(pemFile('MQTT_TLS_CERT_FILE', settings.mqttTlsCertFile), pemFile('MQTT_TLS_KEY_FILE', settings.mqttTlsKeyFile)),
    ...checkIdentity(
      pemFile('MQTT_BROKER_CERT_FILE', settings.mqttBrokerCertFile),
      pemFile('MQTT_BROKER_KEY_FILE', settings.mqttBrokerKeyFile),
    ),
    ...checkAuthority(pemFile('MQTT_BROKER_CA_FILE', settings.mqttBrokerCaFile)),
  ]
}

function pemFile(name: string, path: string | undefined): PemFile | undefined {
  return path === undefined ? undefined : { name, path }
}

/** The settings have both or neither. */
function checkIdentity(certFile: PemFile | undefined, keyFile: PemFile | undefined): string[] {
  if (certFile === undefined || keyFile === undefined) return []
  const problems: string[] = []
  const cert = readPem(certFile, problems)
  const key = readPem(keyFile, problems)
  if (cert !== undefined && !isTaken({ cert }))
    problems.push(`${certFile.name} ${certFile.path} holds no certificate that can be read. Name a PEM file, its chain below it.`)
  if (key !== undefined && !isTaken({ key }))
    problems.push(`${keyFile.name} ${keyFile.path} holds no private key that can be read. Name a PEM file without a passphrase.`)
  if (problems.length === 0 && !isTaken({ cert, key }))
    problems.push(`${keyFile.name} ${keyFile.path} is not the private key of the certificate in ${certFile.name}. Name the one that is.`)
  return problems
}

/** TLS takes what is no authority without a word, and then trusts nobody. */
function checkAuthority(file: PemFile | undefined): string[] {
  if (file === undefined) return []
  const problems: string[] = []
  const pem = readPem(file, problems)
  if (pem !== undefined && certificatesOf(pem.toString('latin1')).length === 0)
    problems.push(`${file.name} ${file.path} holds no certificate that can be read. Name a PEM file.`)
  return problems
}

function readPem({ name, path }: PemFile, problems: string[]): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    problems.push(`${name} ${path} cannot be read (${(error as NodeJS.ErrnoException).code}). Name a PEM file that this user can read.`)
    return undefined
  }
}

function isTaken(pems: Parameters<typeof createSecureContext>[0]): boolean {
  try {
    createSecureContext(pems)
    return true
  } catch {
    // Reported by the caller, by the name of the setting.
    return false
  }
}
