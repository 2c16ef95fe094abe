/** Fills Node's compile cache of the checkout at `root`, once for each version of Node and each set of its flags. */
export function ensureCompiled(root: string): 'already compiled' | 'compiled'
