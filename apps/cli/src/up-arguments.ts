// `up` is `npm start`: the same program, in this process, with the same flags.

/** A global option that may stand before the command, and that the service knows by the same name. */
const BEFORE = '--data-dir'
const UP = 'up'

/** The flags of the service when the arguments ask for it, with a `--data-dir` that stood before the command. */
export function upArguments(args: readonly string[]): string[] | undefined {
  const [first = '', second] = args
  if (first === UP) return args.slice(1)
  if (first.startsWith(`${BEFORE}=`) && second === UP) return [first, ...args.slice(2)]
  return first === BEFORE && args[2] === UP ? [first, second ?? '', ...args.slice(3)] : undefined
}
