/** Numbers of a column whose length is not known before its last row is read. */
export type GrowingColumn = { push(value: number): void; done(): Float32Array }

const FIRST_CAPACITY = 1024

export function createGrowingColumn(): GrowingColumn {
  let values = new Float32Array(FIRST_CAPACITY)
  let length = 0
  return {
    push(value) {
      if (length === values.length) {
        const larger = new Float32Array(values.length * 2)
        larger.set(values)
        values = larger
      }
      values[length++] = value
    },
    done: () => values.slice(0, length),
  }
}
