// The link of a message to a person. Outside the API's surfaces: a page for people, which needs no session.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { closestLanguage } from '@roadworthy/wording/languages'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { Type } from 'typebox'
import { originOf } from '../../audit/audit.ts'
import { NO_CHOICE, type Wording, wordingOf } from '../../words/wording.ts'
import type { Sender } from '../message.ts'
import { type LinkState, readLink, useLink } from './acknowledge.ts'
import type { AcknowledgeLinks } from './acknowledge-link.ts'
import { acknowledgePage, failurePage, type Page } from './acknowledge-page.ts'

/** The path under which the links are; also no page of the dashboard. */
export const ACKNOWLEDGE_PATH = '/acknowledge'

export type AcknowledgeRoutesDeps = {
  /** What anybody may ask takes connections of its own. */
  readonly publicDatabase: Database
  readonly links: AcknowledgeLinks
  readonly present: (resellerId: string, subClientId: string | undefined) => Promise<Sender>
  /** Counts requests of an address that anybody may make. */
  readonly gate: onRequestHookHandler
  readonly now: () => Promise<Date>
}

const MAX_FORM_BYTES = 1_024
/** Of the header of a request; browsers send a tenth of it. */
const MAX_LOCALES_CHARACTERS = 1_000
const Params = Type.Object({ token: Type.String() })

export function acknowledgeRoutes({
  publicDatabase: database,
  links,
  present,
  gate,
  now,
}: AcknowledgeRoutesDeps): FastifyPluginAsyncTypebox {
  const deps = { database, links, now }
  const show = async (request: FastifyRequest, reply: FastifyReply, state: LinkState, isUse: boolean) => {
    const isKnown = 'incident' in state
    const sender = isKnown ? await present(state.incident.resellerId, state.user.subClientId) : undefined
    const wording = isKnown ? await wordingOf(state.user) : await wordingOfRequest(request)
    return await sendPage(reply, acknowledgePage(state, isUse && state.kind === 'open', isUse, { sender, wording }))
  }
  return async (app) => {
    app.addHook('onRequest', gate)
    // A form without fields: nothing of it is read.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (_request, _body, done) => done(null, undefined))
    app.setErrorHandler(async (error, request, reply) => await sendPage(reply, await pageOfError(error, request, reply)))
    app.get(
      '/:token',
      { config: { public: true }, schema: { hide: true, params: Params } },
      async (request, reply) => await show(request, reply, await readLink(deps, request.params.token), false),
    )
    app.post(
      '/:token',
      { config: { public: true }, schema: { hide: true, params: Params } },
      async (request, reply) => await show(request, reply, await useLink(deps, request.params.token, originOf(request)), true),
    )
  }
}

/** To who is not known by a link, in the language of the browser. */
async function wordingOfRequest({ headers }: FastifyRequest): Promise<Wording> {
  const locales = (headers['accept-language'] ?? '').slice(0, MAX_LOCALES_CHARACTERS).split(',')
  return await wordingOf({ ...NO_CHOICE, language: closestLanguage(locales.map((locale) => locale.trim())) })
}

async function pageOfError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<Page> {
  const wording = await wordingOfRequest(request)
  if (error instanceof Problem && error.code === 'rate_limit_exceeded') {
    if (error.retryAfterS !== undefined) reply.header('retry-after', String(Math.ceil(error.retryAfterS)))
    return failurePage(429, wording)
  }
  request.log.error({ err: error }, 'the page of a link could not be shown')
  return failurePage(503, wording)
}

/** The address holds the right to acknowledge: it is in no referrer and in no cache. */
async function sendPage(reply: FastifyReply, { status, html, contentSecurityPolicy }: Page): Promise<FastifyReply> {
  return await reply
    .code(status)
    .headers({
      'content-security-policy': contentSecurityPolicy,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
      'content-type': 'text/html; charset=utf-8',
    })
    .send(html)
}
