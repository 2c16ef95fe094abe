// Sends batches over REST, or with a batch size of 1 single readings, from a process of its own, and prints what was answered as one JSON line.
// Arguments: a JSON object {baseUrl, path?, apiKey, deviceIds, connections, batchSize, batches, startMs}.

import http from 'node:http'
import { sampleReadingJson } from './sample-reading.ts'

type Plan = {
  baseUrl: string
  /** Where to send them, if not to the External API. */
  path?: string
  apiKey: string
  deviceIds: string[]
  connections: number
  batchSize: number
  batches: number
  startMs: number
}

const plan = JSON.parse(process.argv[2] ?? '{}') as Plan
const isSingle = plan.batchSize === 1
const url = new URL(plan.path ?? (isSingle ? '/api/external/telemetry' : '/api/external/telemetry/batch'), plan.baseUrl)
const agent = new http.Agent({ keepAlive: true, maxSockets: plan.connections })

function post(body: Buffer): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        agent,
        method: 'POST',
        headers: { 'x-api-key': plan.apiKey, 'content-type': 'application/json', 'content-length': body.length },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

function batchBody(batch: number): string {
  // One device a batch, as a gateway that buffered does; each reading a second after the one before.
  const deviceId = plan.deviceIds[batch % plan.deviceIds.length] ?? ''
  const records = Array.from({ length: plan.batchSize }, (_, i) => {
    const n = batch * plan.batchSize + i
    return sampleReadingJson(deviceId, plan.startMs + n, n)
  })
  return isSingle ? (records[0] ?? '') : `{"records":[${records.join(',')}]}`
}

// Made beforehand, as the rows of the ceiling are: what is measured is the service, and the client shares its processors.
const bodies = Array.from({ length: plan.batches }, (_, batch) => Buffer.from(batchBody(batch)))
const latenciesMs: number[] = []
let next = 0
let stored = 0
const startedAt = performance.now()
const cpuBefore = process.cpuUsage()
await Promise.all(
  Array.from({ length: plan.connections }, async () => {
    while (next < bodies.length) {
      const body = bodies[next++] as Buffer
      const sentAt = performance.now()
      const { status, text } = await post(body)
      latenciesMs.push(performance.now() - sentAt)
      if (status !== 200) throw new Error(`answered ${status}: ${text.slice(0, 300)}`)
      if (isSingle) stored++
      else stored += /"records_processed":(\d+)/.test(text) ? Number(RegExp.$1) : 0
    }
  }),
)
const seconds = (performance.now() - startedAt) / 1000
latenciesMs.sort((a, b) => a - b)
const percentile = (p: number) => Number((latenciesMs[Math.floor((latenciesMs.length - 1) * p)] ?? Number.NaN).toFixed(1))
const { user, system } = process.cpuUsage(cpuBefore)
const clientCpuUsPerRow = Math.round(((user + system) * 10) / stored) / 10
console.log(
  JSON.stringify({
    clientCpuUsPerRow,
    stored,
    seconds,
    rowsPerS: Math.round(stored / seconds),
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
  }),
)
agent.destroy()
