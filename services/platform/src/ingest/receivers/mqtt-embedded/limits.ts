// Every limit of the MQTT receiver in one place. A limit that a test must reach quickly is an argument of the receiver; these are the defaults.

import { MAX_BATCH_RECORDS } from '@roadworthy/contracts/external/telemetry'
import { MAX_MQTT_PAYLOAD_BYTES } from '@roadworthy/contracts/mqtt/device-message'

export type MqttLimits = {
  /** Open sockets, authenticated or not. One costs about 40 KiB. */
  readonly maxConnections: number
  /** From the TCP connection to the end of the TLS handshake, and from there to a whole CONNECT. Aedes' default of 30 s lets a client that opens slowly hold many. */
  readonly connectTimeoutMs: number
  /** From CONNECT to the answer of `authenticateDevice`; afterwards the device is asked to come back (CONNACK 3). */
  readonly authenticateTimeoutMs: number
  /** A client that does not read is closed after this. Aedes' default is 60 s. */
  readonly drainTimeoutMs: number
  /** A longer keepalive, and 0 (none), count as this: a silent device is gone after 1.5 × this (MQTT-3.1.2-24). */
  readonly maxKeepaliveS: number
  readonly maxBytesBeforeConnect: number
  readonly maxPayloadBytes: number
  /** Spec gap §6.2: an array of records may hold what a track batch may (spec §8). */
  readonly maxRecordsPerMessage: number
  /** With a topic prefix of one level; a longer prefix adds its own. */
  readonly maxTopicLevels: number
  /** Publishes and payload bytes of one connection that wait for their commit; beyond either, its socket is not read. */
  readonly maxUnsettledPublishes: number
  readonly maxUnsettledBytes: number
  /**
   * Over all connections, with 1 KiB for each publish beside its payload; beyond it no socket is read, and devices wait in the kernel's
   * buffers. Some 6,000 small publishes are several times what the commits under way take.
   */
  readonly maxUnsettledBytesOfAll: number
  /** Readings in one call of ingest, and calls under way at once. While all are under way the next batch grows. */
  readonly maxBatchRecords: number
  readonly maxBatchesUnderWay: number
  /** How long a publish waits for a store that is away or has a full queue before its connection is closed unacknowledged. */
  readonly storeWaitMs: number
  /** Sustained publishes of one device; 0 is no limit (DECISIONS: off by default). Faster ones wait. */
  readonly maxPublishesPerSecond: number
  readonly publishBurst: number
  /**
   * New connections from one address, or one /64 of IPv6; loopback is exempt, because a TLS proxy on this machine speaks for everybody. Generous: a whole
   * fleet may sit behind one address of its mobile network and come back at once after an outage.
   */
  readonly maxConnectsPerMinute: number
  /** Failed sign-ins of one username from one address (or /64) within a minute, and how long it is then refused unheard. */
  readonly maxFailedSignIns: number
  readonly banMs: number
  /** Error reports waiting in the socket of a device; more are dropped and counted. */
  readonly maxPendingReports: number
  /** `close()` waits this long for commits under way, and then for clients to read their last acknowledgements before they are cut. */
  readonly closeWaitMs: number
  readonly farewellMs: number
}

export const defaultMqttLimits: MqttLimits = {
  maxConnections: 20_000,
  connectTimeoutMs: 5_000,
  authenticateTimeoutMs: 5_000,
  drainTimeoutMs: 5_000,
  maxKeepaliveS: 600,
  maxBytesBeforeConnect: 16 * 1024,
  maxPayloadBytes: MAX_MQTT_PAYLOAD_BYTES,
  maxRecordsPerMessage: MAX_BATCH_RECORDS,
  maxTopicLevels: 8,
  maxUnsettledPublishes: 1_000,
  maxUnsettledBytes: 128 * 1024,
  maxUnsettledBytesOfAll: 8 * 1024 * 1024,
  maxBatchRecords: 500,
  maxBatchesUnderWay: 16,
  storeWaitMs: 5_000,
  maxPublishesPerSecond: 0,
  publishBurst: 100,
  maxConnectsPerMinute: 6_000,
  maxFailedSignIns: 10,
  banMs: 5 * 60_000,
  maxPendingReports: 8,
  closeWaitMs: 2_000,
  farewellMs: 300,
}
