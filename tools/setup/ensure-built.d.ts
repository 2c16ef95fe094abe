type Options = { log?: (line: string) => void; build?: (root: string, outDir: string) => Promise<void> }

export function ensureBuilt(root: string, options?: Options): Promise<'already built' | 'built' | 'failed'>
