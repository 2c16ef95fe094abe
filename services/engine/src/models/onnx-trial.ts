// An ONNX model is a program, and one that does not end, or takes all memory, would take the engine with it: the runtime cannot be interrupted. So a
// model answers in a process of its own before it is loaded into this one.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ModelManifest } from '@roadworthy/model-store/manifest'

export type OnnxTrial = { readonly manifest: ModelManifest; readonly bytes: Uint8Array; readonly onnxRuntimeDir: string | undefined }
export type OnnxVerdict = { readonly problem?: string }

const TRIAL_MAIN = resolve(import.meta.dirname, 'onnx-trial-process.ts')
const SHELL = '/bin/sh'
/** A model of some hundred megabytes is open within seconds. */
const TRIAL_MS = 60_000
/** Of the free memory: each worker tries a new model, all at once. */
const MEMORY_SHARE = 1 / 8
/** Node and the runtime by themselves have a few hundred megabytes. */
const MIN_MEMORY_BYTES = 1024 ** 3

/** Throws, with a sentence for the person who brought the model, where it does not answer as its manifest states within `boundMs` and its share of memory. */
export async function tryOnnx(trial: OnnxTrial, boundMs = TRIAL_MS): Promise<void> {
  const child = fork(TRIAL_MAIN, [process.execPath], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: boundMs,
    killSignal: 'SIGKILL',
    execArgv: [],
    ...withinLimits(boundMs),
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  try {
    const answered = once(child, 'message') as Promise<[OnnxVerdict]>
    const ended = once(child, 'exit').then(([code, signal]): [OnnxVerdict] => [
      {
        problem:
          signal === 'SIGKILL'
            ? `it has not answered within ${boundMs / 1000} s.`
            : `it ended the process that tried it (${signal ?? code}).`,
      },
    ])
    // Where the process has ended by then, that is the answer.
    child.send(trial, () => undefined)
    const [{ problem }] = await Promise.race([answered, ended])
    if (problem !== undefined) throw new Error(problem)
  } finally {
    process.off('exit', kill)
    kill()
  }
}

/** The limit of time is for a process that outlives this one. Where one cannot be set, a lower one is set already. */
function withinLimits(boundMs: number): { execPath?: string; execArgv?: string[] } {
  if (!existsSync(SHELL)) return {}
  const memoryKib = Math.floor(Math.max(process.availableMemory() * MEMORY_SHARE, MIN_MEMORY_BYTES) / 1024)
  const cpuS = Math.ceil((2 * boundMs) / 1000)
  return { execPath: SHELL, execArgv: ['-c', `ulimit -d ${memoryKib}; ulimit -t ${cpuS}; exec "$1" "$0"`] }
}
