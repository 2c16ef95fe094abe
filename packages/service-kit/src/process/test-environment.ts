// For tests: the environment of a program that is started with none of this process's settings.

/** Where its programs are, and where Node keeps what it compiled: without that every program strips and compiles all of its modules anew, for more than a second. */
export function bareEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) }
}
