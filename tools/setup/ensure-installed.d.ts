type Platform = { os?: string | string[]; cpu?: string | string[]; libc?: string | string[] }
type Options = { log?: (line: string) => void; install?: (root: string) => Promise<void> }

export function ensureInstalled(root: string, options?: Options): Promise<'already installed' | 'installed by another' | 'installed'>
export function isInstalled(root: string): boolean
export function isForThisMachine(entry: Platform, machine?: { os: string; cpu: string; libc: string | undefined }): boolean
export function checkNode(root: string, checksums?: Readonly<Record<string, { version: string; file: string; sha256: string }>>): void
