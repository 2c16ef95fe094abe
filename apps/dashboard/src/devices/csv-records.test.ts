import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsv } from './csv-records.ts'

const cellsOf = (text: string) => readCsv(text).map(({ cells }) => cells)

test('commas, semicolons and tabs separate, whichever the first line has', () => {
  for (const separator of [',', ';', '\t']) {
    assert.deepEqual(cellsOf(`name${separator}imei\r\nTruck 17${separator} 1 \r\n`), [
      ['name', 'imei'],
      ['Truck 17', '1'],
    ])
  }
  assert.deepEqual(cellsOf('name;note\nA, B;c'), [
    ['name', 'note'],
    ['A, B', 'c'],
  ])
  assert.deepEqual(cellsOf('"a;b;c",d\n1,2')[0], ['a;b;c', 'd'], 'what stands in quotes does not count')
})

test('quoted cells hold separators, quotes and line ends', () => {
  assert.deepEqual(cellsOf('\ufeffname,note\n"Truck ""17""","a, b\nc"\n'), [
    ['name', 'note'],
    ['Truck "17"', 'a, b\nc'],
  ])
  assert.deepEqual(cellsOf('name,note\n"never closed,x\ny,z'), [
    ['name', 'note'],
    ['"never closed', 'x'],
    ['y', 'z'],
  ])
})

test('rows are counted as a spreadsheet does, and blank ones left out', () => {
  assert.deepEqual(readCsv('name\n\nA\n,\n"B\nB"\nC'), [
    { number: 1, cells: ['name'] },
    { number: 3, cells: ['A'] },
    { number: 5, cells: ['B\nB'] },
    { number: 6, cells: ['C'] },
  ])
  assert.deepEqual(readCsv(''), [])
})
