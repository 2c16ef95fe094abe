// fast-check with the seed of the run, which `npm test` makes of the sources: one commit is tried with the same cases everywhere, so that a case that fails
// by chance fails before the commit is shared, and the next commit is tried with others.

import fc from 'fast-check'

const seed = process.env['ROADWORTHY_FUZZ_SEED']
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) })

export { fc }
