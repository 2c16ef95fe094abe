// The part of the AsyncAPI document about a reseller's Kafka (docs/message-stream.md).

import { MAX_BATCH_RECORDS } from '@roadworthy/contracts/external/telemetry'
import {
  DeadLetterHeaders,
  MAX_STREAM_FETCH_BYTES,
  MAX_STREAM_MESSAGE_BYTES,
  StreamCloudEvent,
  StreamCloudEventHeaders,
  StreamRecords,
} from '@roadworthy/contracts/stream/stream-message'

const ofKafka = { bindingVersion: '0.5.0' }
const kafkaServers = [{ $ref: '#/servers/kafka' }]
const parameters = { topic: { $ref: '#/components/parameters/topic' } }
const messageRefs = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }]))
const received = ['StreamTelemetry', 'StreamEvent', 'StreamBinaryEvent'] as const

export const streamChannels = {
  streamTelemetry: {
    address: '{topic}',
    title: 'Telemetry of a reseller',
    description: 'A topic of the reseller. Key messages by device or vehicle, so that they stay in order.',
    servers: kafkaServers,
    parameters,
    messages: messageRefs(received),
    bindings: { kafka: { topicConfiguration: { 'max.message.bytes': MAX_STREAM_FETCH_BYTES }, ...ofKafka } },
  },
  streamDeadLetters: {
    address: '{topic}.dlq',
    title: 'What could not be taken',
    description: 'Of the reseller too. While it is missing or refuses, reading waits: no message is dropped.',
    servers: kafkaServers,
    parameters,
    messages: messageRefs(['DeadLetter']),
  },
}

export const streamOperations = {
  receiveStreamTelemetry: {
    action: 'receive',
    channel: { $ref: '#/channels/streamTelemetry' },
    title: 'Take readings of a topic',
    description: 'How far a partition is read is stored with its readings: nothing is lost, and what comes twice counts once.',
    bindings: {
      kafka: { groupId: { type: 'string', description: '`groupId` of the connection.', examples: ['roadworthy-acme'] }, ...ofKafka },
    },
    messages: received.map((name) => ({ $ref: `#/channels/streamTelemetry/messages/${name}` })),
  },
  sendDeadLetter: {
    action: 'send',
    channel: { $ref: '#/channels/streamDeadLetters' },
    title: 'Set aside what cannot be taken',
    description: 'Before the offset moves. After a crash a dead letter may be there twice.',
    messages: [{ $ref: '#/channels/streamDeadLetters/messages/DeadLetter' }],
  },
}

const keyed = (description: string) => ({
  kafka: { key: { type: 'string', description, examples: ['dev-4k2p9x7m1c8v5b3n6q0z'] }, ...ofKafka },
})
const ofDevice = keyed('The device, by id or IMEI, of records that name neither a device nor a vehicle.')
const limits = `One record or an array of at most ${MAX_BATCH_RECORDS}, in at most ${MAX_STREAM_MESSAGE_BYTES / 1024} KiB.`

export const streamMessages = {
  StreamTelemetry: {
    name: 'StreamTelemetry',
    title: 'Records without an envelope',
    summary: limits,
    contentType: 'application/json',
    payload: StreamRecords,
    bindings: ofDevice,
    examples: examplesOf(StreamRecords).map((payload) => ({ payload })),
  },
  StreamEvent: {
    name: 'StreamEvent',
    title: 'CloudEvent, structured',
    summary: `${limits} A JSON object with \`specversion\` is one, whether or not a header states it. Batches of events are not taken.`,
    contentType: 'application/cloudevents+json',
    payload: StreamCloudEvent,
    bindings: ofDevice,
    examples: examplesOf(StreamCloudEvent).map((payload) => ({ payload })),
  },
  StreamBinaryEvent: {
    name: 'StreamBinaryEvent',
    title: 'CloudEvent, binary',
    summary: `${limits} The attributes are headers that begin with \`ce_\`.`,
    contentType: 'application/json',
    headers: StreamCloudEventHeaders,
    payload: StreamRecords,
    bindings: ofDevice,
    examples: [{ headers: examplesOf(StreamCloudEventHeaders)[0], payload: examplesOf(StreamRecords)[0] }],
  },
  DeadLetter: {
    name: 'DeadLetter',
    title: 'Dead letter',
    summary: 'A message as it was, byte for byte, with its key and its headers, and why it was not taken.',
    headers: DeadLetterHeaders,
    payload: { description: 'Whatever bytes the message had; none where `dead-letter-content` is there.' },
    bindings: keyed('That of the message. Left out where it has more than 1 KiB and the content had to be left out.'),
    examples: [{ headers: examplesOf(DeadLetterHeaders)[0], payload: { device_id: 'dev-unknown', speed: 61.5 } }],
  },
}

function examplesOf(schema: object): readonly unknown[] {
  return (schema as { examples?: readonly unknown[] }).examples ?? []
}
