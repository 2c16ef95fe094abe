export function bundleTypebox(
  root: string,
  options?: { tools?: string },
): Promise<'bundled' | 'already bundled' | 'no bundler' | 'not writable' | 'no typebox'>
