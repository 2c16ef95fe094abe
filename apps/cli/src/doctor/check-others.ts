// The programs beside the service: the broker, the engine, the mail server.

import { verifyMailServer } from '@roadworthy/platform/main/mail'
import { SERVICE_VERSION } from '@roadworthy/platform/surfaces/service-version'
import { describeFailure } from '../failure.ts'
import { type Finding, okay, skip, warning, wrong } from '../finding.ts'
import { requestOk } from '../http-client.ts'
import { refuseStranger } from '../refuse-stranger.ts'

export async function checkBroker(url: string | undefined): Promise<Finding> {
  if (url === undefined) return skip('mqtt', 'the broker is not known; give --mqtt-url')
  try {
    return okay('mqtt', await refuseStranger(url))
  } catch (error) {
    return wrong('mqtt', {
      detail: describeFailure(error).message,
      why: 'Devices that send over MQTT cannot connect; what they keep comes later.',
      fix: 'Check MQTT_PORT or MQTT_BROKER_URL, that the broker runs, and the firewall. Something else may listen on that port.',
    })
  }
}

export async function checkEngine(engineUrl: string, engineKey?: string): Promise<Finding> {
  const why = 'Vehicles are not scored: health, remaining life and alerts of models stay as they were.'
  try {
    const { status, version, models_loaded: isLoaded } = await requestOk(`${engineUrl}/v1/health`, { bearer: engineKey })
    const outcome = `${engineUrl} is ${String(status)}, version ${String(version)}, models ${isLoaded === true ? '' : 'not '}loaded`
    if (typeof version !== 'string') {
      return wrong('engine', {
        detail: `${engineUrl} answers, and is no engine of Roadworthy.`,
        why,
        fix: 'Set ENGINE_URL to the engine, or leave it out for one of its own.',
      })
    }
    if (status !== 'healthy')
      return wrong('engine', {
        detail: `${outcome}.`,
        why,
        fix: 'Its log has the reason; a folder of models without a model that can be loaded is one.',
      })
    if (version === SERVICE_VERSION) return okay('engine', outcome)
    return warning('engine', {
      detail: `${outcome}; this is ${SERVICE_VERSION}.`,
      why: 'A release is tested with the engine of the same version. Scores may follow other rules than the documentation describes.',
      fix: `Bring both to the same version.`,
    })
  } catch (error) {
    return wrong('engine', {
      detail: describeFailure(error).message,
      why,
      fix: 'Start it (npx roadworthy engine), or correct ENGINE_URL, ENGINE_PORT, or the ENGINE_KEY of a proxy in front of it.',
    })
  }
}

export async function checkMail(smtpUrl: string | undefined): Promise<Finding> {
  if (smtpUrl === undefined) return skip('mail', 'SMTP_URL is not set; links are shown to who asks')
  const { host } = new URL(smtpUrl)
  const refusal = await verifyMailServer(smtpUrl)
  if (refusal === undefined) return okay('mail', `${host} takes mail of this account`)
  return wrong('mail', {
    detail: `${host} does not take mail: ${refusal}.`,
    why: 'Invitations, password resets and reminders are not delivered.',
    fix: 'Check host, port, user and password of SMTP_URL: smtps:// is for port 465, smtp:// with STARTTLS for 587. Many providers close port 25.',
  })
}
