import { resolve } from 'node:path'

/**
 * Where Node keeps what it compiled. Hundreds of test files load the same modules, each in a process of its own: without it every one strips and compiles them
 * anew.
 */
export const COMPILE_CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/node')
