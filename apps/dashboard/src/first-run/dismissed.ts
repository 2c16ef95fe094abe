// Whether a person has put the first steps away, which this browser remembers.

const keyOf = (userId: string) => `roadworthy.first-steps.${userId}`

export function isDismissed(userId: string): boolean {
  // A browser may refuse storage altogether; then the steps are shown.
  try {
    return localStorage.getItem(keyOf(userId)) !== null
  } catch {
    return false
  }
}

export function dismiss(userId: string): void {
  try {
    localStorage.setItem(keyOf(userId), 'dismissed')
  } catch {
    // They are shown again with the next visit.
  }
}
