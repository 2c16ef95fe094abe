// What `@roadworthy/client` exports. The types of a surface are in the namespace of its name: `External.Device`, `Platform.Vehicle`.

export { BatchError } from './batches.ts'
export type { ClientOptions } from './client-options.ts'
export type { Clock } from './clock.ts'
export {
  AuthenticationError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
  RoadworthyError,
  ServerError,
  SubscriptionError,
  TimeoutError,
  UnexpectedAnswerError,
  ValidationError,
} from './errors.ts'
export type * as Engine from './generated/engine-types.ts'
export type * as External from './generated/external-types.ts'
export type * as Platform from './generated/platform-types.ts'
export type {
  EventEnvelope,
  EventPayloads,
  EventType,
  FleetEvent,
  MqttErrorReport,
  MqttRecord,
  Position,
  StreamMessage,
  VehicleChange,
} from './generated/published-types.ts'
export type * as SimBilling from './generated/sim-billing-types.ts'
export type { MqttCredentials, MqttDevice, MqttPublisher, MqttTopic } from './mqtt-device.ts'
export { mqtt } from './mqtt-device.ts'
export type { BinaryBody, RequestOptions, WriteOptions } from './request-options.ts'
export type { UnknownRequest } from './roadworthy.ts'
export { Roadworthy } from './roadworthy.ts'
export type { HttpMethod } from './route.ts'
export type { SignOptions, VerifyOptions, WebhookHeaders, WebhookRefusal } from './webhooks.ts'
export { WebhookVerificationError, webhooks } from './webhooks.ts'
