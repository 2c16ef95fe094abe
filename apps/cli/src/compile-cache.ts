import { join } from 'node:path'

/** Where Node keeps what it compiled of this program and of those that it starts. */
export const COMPILE_CACHE = join(import.meta.dirname, '../../../node_modules/.cache/node')
