import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import type { App } from '@roadworthy/service-kit/http/http'
import { webhookDocs } from '../webhooks/webhook-document.ts'
import { platformSurface } from './errors.ts'
import { mountSurface, type SurfaceDeps } from './mount.ts'

const PLATFORM_PREFIX = '/api/v1'

/** The Platform API at `/api/v1`, its page at `/api/v1/docs`, its document at `/openapi/platform-v1.json`. */
export function mountPlatformV1(root: App, deps: SurfaceDeps): Promise<void> {
  return mountSurface(root, deps, {
    name: 'platform-v1',
    prefix: PLATFORM_PREFIX,
    surface: platformSurface,
    errorResponses,
    docsPath: '/api/v1/docs',
    jsonPath: '/openapi/platform-v1.json',
    docs: {
      webhooks: webhookDocs,
      title: 'Roadworthy Platform API',
      description:
        'For fleets: vehicles, their health, predictions, alerts, telemetry. Send the key as `Authorization: Bearer <API_KEY>`. The Starter ' +
        'plan includes 100,000 calls a calendar month (UTC).',
      tags: [
        { name: 'Sub-clients', description: 'Customers of the reseller.' },
        { name: 'Devices', description: 'What reports, its credentials and where it belongs.' },
        { name: 'Vehicles', description: 'Vehicles and their health.' },
        { name: 'Predictions', description: 'What will break, when, and how sure that is.' },
        { name: 'Incidents', description: 'Findings with one cause: what to do, and who is at it.' },
        { name: 'Alerts', description: 'What needs a look now.' },
        { name: 'Maintenance', description: 'Work that was done, is planned, and falls due.' },
        { name: 'Events', description: 'What happened, in order: the same that webhooks send.' },
        { name: 'Notifications', description: 'Which people are sent a message about which incidents, and what became of it.' },
        { name: 'Webhooks', description: 'Who is sent events as they happen, and what became of it.' },
        { name: 'Telemetry', description: 'What vehicles report about themselves.' },
        { name: 'Stream', description: 'Telemetry that is read from a message broker.' },
        { name: 'Usage', description: 'What is billed, and signed statements of it.' },
        { name: 'API keys', description: 'Who may call.' },
        { name: 'People', description: 'Who signs in to the dashboard, and as what.' },
        { name: 'Audit', description: 'Who changed what.' },
        { name: 'Brand', description: 'Name, logo, colour and support address of the dashboard.' },
        { name: 'Session', description: 'Signing in to the dashboard. Programs use keys.' },
      ],
    },
  })
}
