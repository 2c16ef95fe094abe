/** The fields of a body that differ from what is stored: the others are left as somebody else may have stored them meanwhile. */
export function changesOf<Body extends object>(body: Body, stored: Body): Partial<Body> {
  const isChanged = ([field, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(stored[field as keyof Body])
  return Object.fromEntries(Object.entries(body).filter(isChanged)) as Partial<Body>
}
