// `up` is `npm start` and `engine` is the ML engine alone: the same programs, in this process, with their own flags.

/** A global option that may stand before `up`, and that the service knows by the same name. */
const BEFORE = '--data-dir'

export type HandOver = { readonly program: 'platform' | 'engine'; readonly flags: string[] }

/** The program that the arguments ask for, with its flags; `undefined` when it is a command of ours. */
export function handOver(args: readonly string[]): HandOver | undefined {
  const [first = '', second] = args
  if (first === 'engine') return { program: 'engine', flags: args.slice(1) }
  if (first === 'up') return { program: 'platform', flags: args.slice(1) }
  if (first.startsWith(`${BEFORE}=`) && second === 'up') return { program: 'platform', flags: [first, ...args.slice(2)] }
  if (first === BEFORE && args[2] === 'up') return { program: 'platform', flags: [first, second ?? '', ...args.slice(3)] }
  return undefined
}
