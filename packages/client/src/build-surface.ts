// Makes the methods of a surface from its table of routes. What they take and return is typed by the interface that is generated from the
// same document.

import { type BatchAnswer, sendInParts } from './batches.ts'
import type { Call, SurfaceCaller } from './call-surface.ts'
import { followStream } from './follow-stream.ts'
import { iteratePages } from './iterate-pages.ts'
import { readAnswer } from './read-answer.ts'
import { readLines } from './read-lines.ts'
import { isRoute, type Route, type RouteTable } from './route.ts'

type Method = (...given: never[]) => unknown
type Query = Readonly<Record<string, unknown>>

/** `list` becomes `iterate`, `getUsage` `iterateUsage`; as the interface has it. */
const iteratorName = (name: string) => name.replace(/^(list|get)/, 'iterate')

export function buildSurface<Api>(routes: RouteTable, caller: SurfaceCaller): Api {
  return methodsOf(routes, caller) as Api
}

function methodsOf(routes: RouteTable, caller: SurfaceCaller): Readonly<Record<string, unknown>> {
  const methods: Record<string, unknown> = {}
  for (const [name, node] of Object.entries(routes)) {
    if (!isRoute(node)) methods[name] = methodsOf(node, caller)
    else {
      methods[name] = methodOf(node, caller)
      if (node.items !== undefined) methods[iteratorName(name)] = iteratorOf(node, node.items, caller)
    }
  }
  return Object.freeze(methods)
}

function methodOf(route: Route, caller: SurfaceCaller): Method {
  const { batch } = route
  if (batch !== undefined) {
    return (items: readonly unknown[], options?: Call['options']) =>
      sendInParts(items, { ...batch, ...caller, options }, (part, partOptions) =>
        callJson<BatchAnswer>({ route, parameters: [], body: { [batch.key]: part }, options: partOptions }, caller),
      )
  }
  if (route.answers?.includes('lines')) return (...given) => linesOf(callOf(route, given), caller)
  if (route.answers?.includes('events')) return (...given) => followStream(callOf(route, given), caller)
  return async (...given) => callJson(callOf(route, given), caller)
}

const callJson = <Answer>(call: Call, caller: SurfaceCaller) =>
  caller.call(call, (response) => readAnswer(response, call.route, caller.redact) as Promise<Answer>)

/** The arguments of a method: the parameters of the path, then the body or the query where the route has one, then the options. */
function callOf(route: Route, given: readonly unknown[]): Call {
  const count = route.path.split('{').length - 1
  const [input, options] = route.input === undefined ? [undefined, given[count]] : given.slice(count)
  return {
    route,
    parameters: given.slice(0, count),
    ...(route.input === 'query' ? { query: input as Query | undefined } : { body: input }),
    options: options as Call['options'],
  }
}

function iteratorOf(route: Route, items: string, caller: SurfaceCaller): Method {
  return (...given) => {
    const call = callOf(route, given)
    return iteratePages(items, (after) => callJson({ ...call, query: after === undefined ? call.query : { ...call.query, after } }, caller))
  }
}

async function* linesOf(call: Call, caller: SurfaceCaller): AsyncGenerator<unknown, void, undefined> {
  const policy = caller.policyOf(call.options)
  yield* await caller.call(call, async (response, limit) => readLines(response, limit, policy, call.route, caller.redact))
}
