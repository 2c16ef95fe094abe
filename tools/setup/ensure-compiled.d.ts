/** Paths, from the root of the checkout, of what `npm start` runs. */
export const PROGRAMS: readonly string[]
/** Fills Node's compile cache of the checkout at `root`, once for each version of Node, set of its flags and state of the sources. */
export function ensureCompiled(root: string): 'already compiled' | 'compiled'
