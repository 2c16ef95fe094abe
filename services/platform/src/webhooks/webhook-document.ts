// Webhooks in the words of OpenAPI 3.1: what is sent for each type of event, with which headers, and which answers count as delivered.

import { type EventType, eventTypes } from '@roadworthy/contracts/webhooks/events'
import { anyTypedEvent, nameOfEvent, typedEvent } from '@roadworthy/contracts/webhooks/typed-events'
import { timestampExample } from '@roadworthy/contracts/wire-fields'
import type { WebhookDocs } from '@roadworthy/service-kit/http/docs'
import { sampleBody } from './sample-event.ts'

const eventIdExample = 'evt-5d8g1j4m7q0t3w6z9c2f'

/** Of the Standard Webhooks, for which there are libraries in most languages. */
const parameters = {
  WebhookId: {
    ...{ name: 'webhook-id', in: 'header', required: true },
    description: 'The id of the event, the same in every attempt: by it you know what you have already.',
    schema: { type: 'string', examples: [eventIdExample] },
  },
  WebhookTimestamp: {
    ...{ name: 'webhook-timestamp', in: 'header', required: true },
    description: 'Seconds since 1970 of this attempt. Refuse what is older than 5 minutes.',
    schema: { type: 'string', examples: ['1769847300'] },
  },
  WebhookSignature: {
    ...{ name: 'webhook-signature', in: 'header', required: true },
    description:
      '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, keyed with the bytes that `whsec_` stands before in the secret of the ' +
      'endpoint. While a secret is replaced there are two, with a space between. Check it over the bytes of the body as they came.',
    schema: { type: 'string', examples: ['v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='] },
  },
}

const responses = {
  WebhookDelivered: { description: 'Delivered. Answer within 15 s and do the work afterwards; the body is not read beyond 64 KiB.' },
  WebhookRedirected: { description: 'Not delivered: redirects are not followed. It is tried again.' },
  WebhookEndpointGone: { description: 'Not delivered, and the endpoint is disabled at once.' },
  WebhookRefused: {
    description:
      'Not delivered, as when nothing is answered within 15 s. It is tried again, 10 times in 76 hours; `Retry-After` is followed.',
  },
}

const refTo = (components: 'parameters' | 'responses', name: string) => ({ $ref: `#/components/${components}/${name}` })

/** For the document of the surface that webhooks are set up on. */
export function webhookDocs(): WebhookDocs {
  return {
    webhooks: Object.fromEntries(eventTypes.map((type) => [type, { post: operationOf(type) }])),
    components: { parameters, responses, schemas: { WebhookEvent: anyTypedEvent() } },
  }
}

function operationOf(type: EventType): object {
  const schema = typedEvent(type) as { description?: string }
  const { description = '' } = schema
  const [summary = ''] = description.split(/\.(?= |$)/)
  return {
    operationId: `on${nameOfEvent(type)}`,
    summary,
    description,
    tags: ['Webhooks'],
    security: [],
    parameters: Object.keys(parameters).map((name) => refTo('parameters', name)),
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: exampleOf(type) } },
    },
    responses: {
      '2XX': refTo('responses', 'WebhookDelivered'),
      '3XX': refTo('responses', 'WebhookRedirected'),
      '410': refTo('responses', 'WebhookEndpointGone'),
      default: refTo('responses', 'WebhookRefused'),
    },
  }
}

/** What `POST /webhooks/{id}/test` sends for this type. */
function exampleOf(type: EventType): unknown {
  return JSON.parse(sampleBody({ eventId: eventIdExample, type, subClientId: 'acme-logistics' }, new Date(timestampExample)))
}
