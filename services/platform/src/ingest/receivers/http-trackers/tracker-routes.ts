// What the routes of phones and trackers share: how their messages are read, and how they are described and answered.

import { errorResponses } from '@roadworthy/contracts/external/errors'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'

/** A reading of Traccar Client has 600 bytes; Freematics sends up to a few kilobytes that it kept. */
export const MAX_MESSAGE_BYTES = 64 * 1024

/** The receiver reads messages itself; their schemas are documentation. */
export const notValidatedHere = () => () => true

export const tags = ['Phones and trackers']
export const TOKEN =
  'The token stands for a key: it is shown once, when the device is registered with the connection method `osmand` or `http`, or when it is asked for ' +
  '(`POST /api/v1/devices/{id}/tracker-token`).'
const errors = errorResponses(413)
export const taken = {
  400: errors[400],
  401: errors[401],
  403: errors[403],
  413: errors[413],
  429: errors[429],
  500: errors[500],
  503: errors[503],
}
export const EMPTY = Type.String({ maxLength: 0, examples: [''] })

/** With keys that are repeated, in their order. */
export function queryOf({ raw: { url = '' } }: FastifyRequest): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
}
