/**
 * Orders versions as SemVer 2.0.0 §11 does: numbers by value, a pre-release before its release, build metadata last. Versions that are not
 * quite SemVer, such as `3`, `2024-06-01` or `v1.2`, find their place by the same rules.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)]
  const byNumbers = compareParts(left.release, right.release, '0')
  if (byNumbers !== 0) return byNumbers
  if (left.preRelease.length === 0 || right.preRelease.length === 0) {
    return right.preRelease.length - left.preRelease.length || compareText(a, b)
  }
  return compareParts(left.preRelease, right.preRelease, '') || compareText(a, b)
}

type Version = { readonly release: readonly string[]; readonly preRelease: readonly string[] }

function parseVersion(text: string): Version {
  const [whole = ''] = text.replace(/^v(?=\d)/, '').split('+', 1)
  // `2024-06-01` is a date: what follows the first hyphen is a pre-release only where it does not go on with digits alone.
  const at = /^\d+(-\d+)+$/.test(whole) ? -1 : whole.indexOf('-')
  const release = at === -1 ? whole : whole.slice(0, at)
  return { release: release.split(/[.-]/), preRelease: at === -1 ? [] : whole.slice(at + 1).split('.') }
}

/** Where one list ends, `missing` stands in its place: `1.2` is `1.2.0`, and a longer pre-release comes after a shorter one. */
function compareParts(left: readonly string[], right: readonly string[], missing: string): number {
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const order = comparePart(left[i] ?? missing, right[i] ?? missing)
    if (order !== 0) return order
  }
  return 0
}

function comparePart(left: string, right: string): number {
  const [isLeftNumber, isRightNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)]
  if (isLeftNumber && isRightNumber) return Number(left) - Number(right)
  if (left === '' || right === '') return left.length - right.length
  if (isLeftNumber !== isRightNumber) return isLeftNumber ? -1 : 1
  return compareText(left, right)
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right)
}
