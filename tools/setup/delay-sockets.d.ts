type StartTimer = (run: (...args: unknown[]) => void, ms: number, ...args: unknown[]) => unknown

export function delaySockets(waitMs?: () => number, start?: StartTimer): () => void
