// The generated part of clients/python: of each surface its types, its routes, and its methods for `Roadworthy` and for `AsyncRoadworthy`; from the
// same tables and documents as the client in TypeScript.

import { MqttErrorReport } from '@roadworthy/contracts/mqtt/error-report'
import { VehicleChange } from '@roadworthy/contracts/platform-v1/live'
import { Position } from '@roadworthy/contracts/platform-v1/positions'
import { Event, eventPayloads } from '@roadworthy/contracts/webhooks/events'
import type { DocumentName, JsonSchema, OpenApi } from '../../test/support/open-api.ts'
import { gapsOf, surfaces } from './client-sources.ts'
import { mediaKind, type OperationFacts } from './operation-facts.ts'
import { type Mode, outside, pythonAnswerName, pythonMethodLines, routeName } from './python-methods.ts'
import { createPythonTypes, docstring, type PythonTypes, pascalCase, pythonName } from './python-types.ts'
import { refsIn } from './schema-type.ts'
import { allFacts, factsTree, GENERATED, isFacts, type Node, reach } from './surface-source.ts'

type Surface = { readonly documentName: DocumentName; readonly title: string; readonly tree: Node; readonly document: OpenApi }

/** File name under `clients/python/src/roadworthy/generated` to its text. */
export function pythonSources(documents: Readonly<Record<DocumentName, OpenApi>>): Readonly<Record<string, string>> {
  const files = Object.entries(surfaces).flatMap(([key, { name, title, table, isStateless }]) => {
    const documentName = key as DocumentName
    const document = documents[documentName]
    const gaps = gapsOf(documentName, document)
    if (gaps.length > 0) throw new Error(gaps.join('\n'))
    const surface = { documentName, title, document, tree: factsTree({ document, table, isStateless }, table.methods) }
    const types = typesOf(surface)
    const module = name.replace('-', '_')
    const api = pascalCase(name)
    return [
      [`${module}_api.py`, apiSource(surface, { types, module, api, mode: 'sync' })],
      [`${module}_async_api.py`, apiSource(surface, { types, module, api, mode: 'async' })],
      [`${module}_routes.py`, routesSource(surface, module, types)],
      [`${module}_types.py`, typesSource(`${GENERATED} from docs/openapi/${documentName}.json`, types.lines())],
    ] as const
  })
  return Object.fromEntries([...files, ['__init__.py', `# ${GENERATED}: everything here.\n`], ['published_types.py', publishedTypes()]])
}

const head = ({ documentName }: Surface) =>
  `# ${GENERATED} from docs/openapi/${documentName}.json and the table of methods. Changes belong there.`
const FUTURE = 'from __future__ import annotations'

/** Of the components those that a body or an answer names, and the answers that have no name of their own. */
function typesOf({ document, tree }: Surface): PythonTypes {
  const types = createPythonTypes()
  const { schemas } = document.components
  const all = allFacts(tree)
  const sent = reach(schemas, refsIn(all.map(({ body }) => body)))
  const named = reach(schemas, refsIn(all.map(({ body, answers }) => [body, answers])))
  for (const name of [...named].sort()) types.declare(schemas[name] ?? {}, { name, isInput: sent.has(name) })
  for (const facts of all) {
    for (const [type, json] of Object.entries(facts.answers)) {
      const isNamed = typeof json['$ref'] === 'string'
      if (mediaKind(type) === 'json' && !isNamed) types.declare(json, { name: pythonAnswerName(facts, json), isInput: false })
    }
  }
  return types
}

function typesSource(from: string, lines: readonly string[]): string {
  const text = lines.join('\n')
  const names = ['Any', 'Literal', 'TypeAlias', 'TypedDict'].filter((name) => new RegExp(`\\b${name}\\b`).test(text))
  const abstract = ['Mapping', 'Sequence'].filter((name) => new RegExp(`\\b${name}\\[`).test(text))
  return [
    `# ${from}. Changes belong there.`,
    FUTURE,
    '',
    ...(abstract.length === 0 ? [] : [`from collections.abc import ${abstract.join(', ')}`]),
    `from typing import ${names.join(', ')}`,
    text,
    '',
  ].join('\n')
}

type Writing = { readonly types: PythonTypes; readonly module: string; readonly api: string; readonly mode: Mode }

function apiSource(surface: Surface, { types, module, api, mode }: Writing): string {
  const classes = classLines(surface.tree, {
    path: [],
    name: `${mode === 'async' ? 'Async' : ''}${api}Api`,
    title: surface.title,
    types,
    mode,
  })
  const text = classes.join('\n')
  const caller = mode === 'async' ? 'AsyncCaller' : 'Caller'
  const isPublished = text.includes('published.')
  const iterator = mode === 'async' ? 'AsyncGenerator' : 'Generator'
  const abstract = [iterator, 'Mapping', 'Sequence'].filter((name) => new RegExp(`(?<!\\w)${name}\\[`).test(text)).sort()
  const typing = ['TYPE_CHECKING', ...['Literal', 'overload'].filter((name) => new RegExp(`\\b${name}\\b`).test(text))]
  return [
    head(surface),
    FUTURE,
    '',
    `from collections.abc import ${abstract.join(', ')}`,
    `from typing import ${typing.join(', ')}`,
    '',
    'from .._options import CallOptions',
    `from . import ${module}_routes as routes`,
    '',
    'if TYPE_CHECKING:',
    `    from .._${mode}_caller import ${caller}`,
    ...(text.includes('TrackingData') ? ['    from ..models import TrackingData'] : []),
    `    from . import ${isPublished ? 'published_types as published, ' : ''}${module}_types as types`,
    '',
    text,
    '',
  ].join('\n')
}

type Class = {
  readonly path: readonly string[]
  readonly name: string
  readonly title: string
  readonly types: PythonTypes
  readonly mode: Mode
}

/** A class for the resource and, before it, one for each resource inside. */
function classLines(tree: Node, of: Class): string[] {
  const caller = of.mode === 'async' ? 'AsyncCaller' : 'Caller'
  const inner = Object.entries(tree).flatMap(([key, node]) =>
    isFacts(node) ? [] : [{ key, node, name: `${of.mode === 'async' ? 'Async' : ''}${[...of.path, key].map(pascalCase).join('')}` }],
  )
  const methods = Object.entries(tree).flatMap(([key, node]) =>
    isFacts(node) ? ['', ...pythonMethodLines([...of.path, key], node, of)].slice(0, -1) : [],
  )
  return [
    ...inner.flatMap(({ key, node, name }) => classLines(node, { ...of, path: [...of.path, key], name, title: '' })),
    ...['', '', `class ${of.name}:`],
    ...docstring(of.title, 1),
    `    def __init__(self, caller: ${caller}) -> None:`,
    '        self._caller = caller',
    ...inner.map(({ key, name }) => `        self.${pythonName(key)} = ${name}(caller)`),
    ...methods,
  ]
}

function routesSource(surface: Surface, module: string, types: PythonTypes): string {
  const lines = routeLines(surface.tree, [], types)
  const text = lines.join('\n')
  const isPublished = text.includes('published.')
  return [
    head(surface),
    FUTURE,
    '',
    'from typing import TYPE_CHECKING',
    '',
    `from .._route import ${text.includes('Batch(') ? 'Batch, ' : ''}Route`,
    '',
    'if TYPE_CHECKING:',
    `    from . import ${isPublished ? 'published_types as published, ' : ''}${module}_types as types`,
    '',
    text,
    '',
  ].join('\n')
}

function routeLines(tree: Node, path: readonly string[], types: PythonTypes): string[] {
  return Object.entries(tree).flatMap(([key, node]) =>
    isFacts(node) ? [routeLine([...path, key], node, types)] : routeLines(node, [...path, key], types),
  )
}

/** Left out is what holds for most: JSON is answered, there is no key, and a repeat does no harm. */
function routeLine(path: readonly string[], facts: OperationFacts, types: PythonTypes): string {
  const { batch, items, takesKey, isRepeatable, each } = facts
  const kinds = [...new Set(Object.keys(facts.answers).map(mediaKind))]
  const answers = each === 'Position' ? ['lines'] : kinds
  const [binary, other] = Object.keys(facts.body).filter((type) => type !== 'application/json')
  const fields = [
    `"${facts.method}", "${facts.path}"`,
    items === undefined ? '' : `items="${items.key}"`,
    batch === undefined ? '' : `batch=Batch("${batch.key}", ${batch.max}, ${batch.maxBodyMib * 1024 * 1024})`,
    answers.length === 1 && answers[0] === 'json' ? '' : `answers=(${answers.map((kind) => `"${kind}",`).join(' ')})`,
    takesKey ? 'takes_key=True' : '',
    isRepeatable ? '' : 'is_repeatable=False',
    binary === undefined || other !== undefined ? '' : `binary_type="${binary}"`,
  ]
  return `${routeName(path)}: Route[${answerType(facts, types)}] = Route(${fields.filter((field) => field !== '').join(', ')})`
}

function answerType(facts: OperationFacts, types: PythonTypes): string {
  if (facts.each !== undefined) return `published.${facts.each}`
  const found = Object.entries(facts.answers).map(([type, schema]) => {
    const kind = mediaKind(type)
    if (kind !== 'json') return kind === 'text' ? 'str' : 'bytes'
    return outside(types.typeOf({ $ref: pythonAnswerName(facts, schema) }, { name: '', isInput: false }))
  })
  return [...new Set(found)].join(' | ')
}

/** What no OpenAPI document describes: events, lines, and messages. */
function publishedTypes(): string {
  const types = createPythonTypes()
  const schemaOf = (schema: object) => schema as JsonSchema
  const output = (name: string) => ({ name, isInput: false })
  types.declare(schemaOf(Position), output('Position'))
  types.declare(schemaOf(VehicleChange), output('VehicleChange'))
  types.declare(schemaOf(MqttErrorReport), output('MqttErrorReport'))
  const { data: _, event: __, ...envelope } = Event.properties
  types.declare({ type: 'object', properties: envelope, required: ['id', 'timestamp', 'sub_client_id'] }, output('EventEnvelope'))
  const events = Object.entries(eventPayloads).map(([type, payload]) => {
    const name = pascalCase(type)
    const payloadType = types.typeOf(schemaOf(payload), output(`${name}Data`))
    return {
      name: `${name}Event`,
      lines: ['', '', `class ${name}Event(EventEnvelope):`, `    event: Literal["${type}"]`, `    data: ${payloadType}`],
    }
  })
  const messages = [
    ['Ready', 'ready', 'dict[str, Any]'],
    ['Event', 'event', 'FleetEvent'],
    ['Vehicles', 'vehicles', 'dict[Literal["vehicles"], list[VehicleChange]]'],
    ['Reset', 'reset', 'Any'],
  ].map(([name, type, payloadType]) => {
    const lines = ['', '', `class ${name}Message(TypedDict):`, `    type: Literal["${type}"]`, '    id: str', `    data: ${payloadType}`]
    return { name: `${name}Message`, lines }
  })
  const alias = (name: string, members: readonly { name: string }[], words: string) => [
    ...['', '', `${name}: TypeAlias = "${members.map((member) => member.name).join(' | ')}"`, ...docstring(words, 0)],
  ]
  return typesSource(`${GENERATED} from the contracts: what no OpenAPI document describes`, [
    ...types.lines(),
    ...events.flatMap(({ lines }) => lines),
    ...alias(
      'FleetEvent',
      events,
      'A webhook, or an entry of the log: `event` decides what `data` is. Types may be added; ignore what you do not know.',
    ),
    ...messages.flatMap(({ lines }) => lines),
    ...alias('StreamMessage', messages, 'A message of `GET /api/v1/stream`. `id` is where to go on after a cut.'),
  ])
}
