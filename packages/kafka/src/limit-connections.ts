// Puts the limits in front of the client on every connection of a pool: how many brokers it may be led to, and what their sockets hand on. What
// the client throws at an answer ends that connection; it would end the process, thrown as it is in the listener of a socket.
import type { Socket } from 'node:net'
import { type Broker, type Connection, type ConnectionPool, NetworkError } from '@platformatic/kafka'
import { AnswerFrames } from './answer-frames.ts'
import { BrokerDataError, beginAnswer } from './client-limits.ts'

/** A client connects to leaders and coordinators. The largest clusters that providers sell have some 60 brokers (assumption). */
const MAX_BROKERS = 100

type GetCallback = (error: Error | null, connection?: Connection) => void

/** `onRefused` is called with what was wrong with an answer; the client itself then only reports that a connection was closed. */
export function limitConnections(pool: ConnectionPool, onRefused: (error: Error) => void = () => undefined): void {
  pool.on('connecting', ({ connection }) => {
    // Whoever waits for the connection is answered; an `error` event that nobody listens to any more would end the process.
    connection.on('error', () => undefined)
    // The client makes the socket in this turn, and it connects in a later one.
    process.nextTick(() => {
      if (connection.socket !== undefined) guardSocket(connection.socket, onRefused)
    })
  })
  const connect = pool.get.bind(pool) as (broker: Broker, callback?: GetCallback) => Promise<Connection>
  const get = (broker: Broker, callback?: GetCallback) => {
    try {
      if (broker?.host !== undefined && !pool.has(broker) && [...pool].length >= MAX_BROKERS)
        throw new BrokerDataError(`the cluster leads to more than ${MAX_BROKERS} brokers`)
      return connect(broker, callback)
    } catch (error) {
      // A port that is none, for example, of which the client does not expect that it throws.
      onRefused(error as Error)
      const failure = refusal(error as Error)
      if (callback === undefined) return Promise.reject(failure)
      process.nextTick(callback, failure)
      return undefined
    }
  }
  pool.get = get as ConnectionPool['get']
}

/** Names what is to blame, and is not worth a second attempt at once. */
function refusal(error: Error): NetworkError {
  return new NetworkError(error.message, { cause: error, canRetry: false })
}

function guardSocket(socket: Socket, onRefused: (error: Error) => void): void {
  const frames = new AnswerFrames()
  const write = socket.write.bind(socket) as (bytes: Uint8Array, ...rest: unknown[]) => boolean
  const noteAndWrite = (bytes: Uint8Array, ...rest: unknown[]) => {
    frames.noteRequest(bytes)
    return write(bytes, ...rest)
  }
  socket.write = noteAndWrite as Socket['write']
  // After the client's own listener to this event, which is where it begins to listen to what comes.
  const isTls = 'encrypted' in socket
  socket.once(isTls ? 'secureConnect' : 'connect', () => {
    const listeners = socket.listeners('data') as ((answer: Buffer) => void)[]
    socket.removeAllListeners('data')
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const answer of frames.take(chunk)) {
          if (socket.destroyed) return
          beginAnswer()
          for (const listener of listeners) listener(answer)
        }
      } catch (error) {
        onRefused(error as Error)
        socket.destroy(error as Error)
      }
    })
  })
}
