// The log of events (spec §6; DECISIONS: pull is the same log as webhooks).

import { Type } from 'typebox'
import { Event, eventTypes } from '../webhooks/events.ts'
import { nullable, pageQuery } from '../wire-fields.ts'

export const EventListQuery = Type.Object({
  type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: `Only events of these types, separated by commas: ${eventTypes.map((each) => `\`${each}\``).join(', ')}. All that the key may see when left out.`,
      examples: ['alert.created'],
    }),
  ),
  ...pageQuery,
})

export const EventList = Type.Object(
  {
    events: Type.Array(Event, { description: 'In the order of the log, which never changes.' }),
    pagination: Type.Object(
      {
        endCursor: nullable(
          Type.String({ description: 'Give it as `after`, now or later, to get what comes next. Null while the log is empty.' }),
        ),
        hasNextPage: Type.Boolean(),
      },
      { title: 'EventPagination', examples: [{ endCursor: null, hasNextPage: false }] },
    ),
  },
  { title: 'EventList', description: 'A page of the log.' },
)
