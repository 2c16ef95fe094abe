/** The address that the demo's emulators listen on, and no other. */
const EMULATORS = '127.0.0.1/32'

/** Networks that are allowed by the settings, and while the demo is on its emulators. */
export function networksWithDemo(allowCidrs: string | undefined, isDemo: boolean): string {
  return [...(allowCidrs === undefined ? [] : [allowCidrs]), ...(isDemo ? [EMULATORS] : [])].join(',')
}
