// Each type of event as a whole, under a name of its own, for documents: generators of clients name their types by it.

import { type TObject, Type } from 'typebox'
import { Event, type EventType, eventPayloads, eventTypes } from './events.ts'

/** `alert.created` is `AlertCreated`. */
export function nameOfEvent(type: EventType): string {
  return type.replace(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** The body of a webhook of that type: `AlertCreatedEvent`, with `AlertCreatedData` in it. Its fields are those of `Event`. */
export function typedEvent(type: EventType): TObject {
  const { id, timestamp, sub_client_id, test } = Event.properties
  const name = nameOfEvent(type)
  const payload = eventPayloads[type] as unknown as TObject & { description?: string }
  const description = payload.description ?? ''
  return Type.Object(
    {
      id,
      event: Type.Literal(type),
      timestamp,
      data: { ...payload, title: `${name}Data` },
      sub_client_id,
      test,
    },
    { title: `${name}Event`, description },
  )
}

/** The body of any webhook: `event` decides which. Types may be added; what is not known is to be ignored. */
export function anyTypedEvent(): Readonly<Record<string, unknown>> {
  const mapping = eventTypes.map((type) => [type, `#/components/schemas/${nameOfEvent(type)}Event`])
  return {
    title: 'WebhookEvent',
    description: 'The body of a webhook. `event` decides what `data` is. Types may be added: ignore what you do not know.',
    oneOf: eventTypes.map(typedEvent),
    discriminator: { propertyName: 'event', mapping: Object.fromEntries(mapping) },
  }
}
