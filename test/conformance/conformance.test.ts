// Goal: the service is as specified, section by section, in every route, field, type, status, limit and error that it names,
// and as in DECISIONS where that is silent. Method: through HTTP and a real MQTT client, against the whole service as a process on a
// database of its own, with nothing in hand but those two documents. One service for all sections, because starting it costs as much as
// asking it; each test has a reseller of its own.
//
// Not here: the message stream (§1, §4.2), which needs a Kafka: `npm run test:kafka`.
// Every scope on every route is `scopes.test.ts`, bad input `bad-input.test.ts` and `bad-request.test.ts`, tenants `isolation.test.ts`.

import { after } from 'node:test'
import { startEmulatedPlatforms } from '../support/emulated-platforms.ts'
import { openService } from '../support/service.ts'
import { subClientSection } from './sections/2.1-sub-client.ts'
import { deviceSection } from './sections/2.2-device.ts'
import { vehicleSection } from './sections/2.3-vehicle.ts'
import { trackPointSection } from './sections/2.4-track-point.ts'
import { telemetryRecordSection } from './sections/2.5-telemetry-record.ts'
import { namesSection } from './sections/2.6-names.ts'
import { platformRecordsSection } from './sections/2.8-platform-records.ts'
import { simSection } from './sections/2.10-sim.ts'
import { statesSection } from './sections/3-states.ts'
import { externalApiSection } from './sections/4.1-external-api.ts'
import { razorpayStorySection } from './sections/4.1-razorpay-story.ts'
import { simBillingSection } from './sections/4.1-sim-billing.ts'
import { simBillingAccessSection } from './sections/4.1-sim-billing-access.ts'
import { simBillingStorySection } from './sections/4.1-sim-billing-story.ts'
import { engineSection } from './sections/4.3-ml-engine.ts'
import { authenticationSection } from './sections/5-authentication.ts'
import { maintenanceCompletedSection } from './sections/6.1-maintenance-completed.ts'
import { webhooksSection } from './sections/6.1-webhooks.ts'
import { deviceMessagesSection } from './sections/6.2-device-messages.ts'
import { errorsSection } from './sections/7-errors.ts'
import { limitsSection } from './sections/8-limits.ts'
import { versioningSection } from './sections/9-versioning.ts'

const allowed = ['--webhook-allow-cidrs', '--operator-allow-cidrs', '--gateway-allow-cidrs'].flatMap((flag) => [flag, '127.0.0.0/8'])
const service = await openService({ after }, { flags: ['--scoring-interval-s', '1', ...allowed] })
const platforms = await startEmulatedPlatforms({ after }, 2)

subClientSection(service)
deviceSection(service)
vehicleSection(service)
trackPointSection(service)
telemetryRecordSection(service)
namesSection(service)
platformRecordsSection(service)
simSection(service)
statesSection(service)
externalApiSection(service)
simBillingSection(service)
simBillingAccessSection(service)
simBillingStorySection(service, platforms)
razorpayStorySection(service, platforms)
engineSection(service)
authenticationSection(service)
webhooksSection(service)
maintenanceCompletedSection(service)
deviceMessagesSection(service)
errorsSection(service)
limitsSection(service)
versioningSection(service)
