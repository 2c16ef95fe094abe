// Goal: every example in the help of the command line does what it describes. Method: one instance of its own, and each line as it stands, by a shell.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { createProgram } from 'roadworthy/program'
import { BIN } from '../support/command-line.ts'
import { writeExampleTables } from './example-tables.ts'
import { node, type OwnInstance, startOwnInstance } from './own-instance.ts'

const MOST_REPEATS = 10

let instance: OwnInstance

before(async () => {
  instance = await startOwnInstance()
})

after(async () => {
  await instance.stop()
})

async function runLine(line: string, env: Record<string, string | undefined>): Promise<[code: unknown, errors: string]> {
  const child = spawn('sh', ['-c', line], { cwd: instance.folder, env, stdio: ['ignore', 'ignore', 'pipe'], timeout: 600_000 })
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += String(chunk)))
  // Not at its exit: its last lines may be on their way then.
  const [code] = await once(child, 'close')
  return [code, errors]
}

/** The example lines of a command's help, which `program.test.ts` shows to be what `--help` prints. */
async function examplesOf(name: string): Promise<string[]> {
  const root = await createProgram({ env: {}, cwd: '/', now: () => new Date() })
  const command = name.split(' ').reduce((parent, word) => parent.commands.find((each) => each.name() === word) ?? assert.fail(name), root)
  const help: string[] = []
  command.configureOutput({ writeOut: (text) => void help.push(text) }).outputHelp()
  return [...help.join('').matchAll(/^ {2}\$ (.*)$/gm)].map(([, line = '']) => line)
}

/**
 * Every command that does something, and how its examples are distinguished from what stands there already, or ended. Not those of `sims`, `invoices` and
 * `billing`: they name what no fresh instance has. billing-by-command-line.long.test.ts runs these commands. Nor those
 * of `wal`, which need an archive: backup-guide.long.test.ts runs them.
 */
const commands: { readonly name: string; readonly toTry?: (line: string) => string }[] = [
  { name: 'resellers create', toTry: (line) => line.replace('north-fleet', 'another-fleet') },
  { name: 'resellers update' },
  { name: 'resellers list' },
  { name: 'keys create' },
  { name: 'keys list' },
  { name: 'keys revoke' },
  { name: 'users create' },
  { name: 'users invite' },
  { name: 'users reset-password' },
  { name: 'mqtt export-passwords' },
  { name: 'replay' },
  { name: 'predict' },
  { name: 'train rul' },
  { name: 'evaluate rul', toTry: (line) => line.replace('--data test.csv', '--data test-runs.csv') },
  { name: 'train classifier' },
  { name: 'evaluate classifier' },
  { name: 'train normal' },
  { name: 'fit life' },
  { name: 'export onnx' },
  { name: 'doctor' },
  { name: 'upgrade' },
  { name: 'config' },
  { name: 'load' },
  { name: 'backup' },
  { name: 'restore' },
  { name: 'drill' },
  { name: 'export' },
  // Where it was exported, it is taken.
  { name: 'import', toTry: (line) => `${line} --data-dir new-home` },
  // A simulation goes on until it is stopped; a second shows that it runs.
  { name: 'simulate', toTry: (line) => line.replace(/simulate(.*?)(--duration \d+)?( --json)?$/, 'simulate$1 --history 0 --duration 1$3') },
  { name: 'license issue' },
  { name: 'license inspect' },
]

test('every example in the help works as it stands', async () => {
  const { folder, dataDir } = instance
  const rows = Array.from({ length: 20 }, (_, i) => `${100 + i}.0, 800.0, 0.0, 81.0, 60.0, 13.8,`)
  const header = 'ENGINE_RUN_TINE (),ENGINE_RPM (),VEHICLE_SPEED (),COOLANT_TEMPERATURE (),FUEL_TANK (),CONTROL_MODULE_VOLTAGE ()'
  writeFileSync(path.join(folder, 'trip.csv.gz'), [header, ...rows].join('\n'))
  writeExampleTables(folder)
  writeFileSync(path.join(folder, 'brakes.csv'), 'km,failed\n21000,1\n34000,1\n38000,1\n45000,0\n47000,1\n52000,1\n')
  const day = new Date(Date.now() - 86_400_000).toISOString()
  writeFileSync(path.join(folder, 'readings.csv'), `vehicle_id,timestamp,speed\nvan-7,${day},31\n`)
  mkdirSync(path.join(folder, 'traccar'))
  writeFileSync(path.join(folder, 'traccar/tc_devices.csv'), 'id,uniqueid,name\n1,356938035643111,Truck 12\n')
  const position = `1,1,${day},52.5,13.4,17.2,"{""ignition"":true}"`
  writeFileSync(path.join(folder, 'traccar/tc_positions.csv'), `id,deviceid,fixtime,latitude,longitude,speed,attributes\n${position}\n`)
  writeFileSync(path.join(folder, 'passphrase.txt'), 'seven words of your own and no others\n')
  const spare = await instance.json('keys', 'create', '--reseller', 'roadworthy', '--name', 'spare', '--scopes', 'predict')
  for (const { name, toTry = (line: string) => line } of commands) {
    const found = await examplesOf(name)
    assert.notEqual(found.length, 0, name)
    for (const example of found) {
      const line = toTry(example)
        .replace('npx roadworthy', `"${node}" "${BIN}"`)
        .replace('KEY_ID', String(spare['key_id']))
        .replace('--data-dir .data', `--data-dir ${dataDir}`)
      const env = { PATH: process.env['PATH'], DATA_DIR: dataDir }
      let [code, output] = await runLine(line, env)
      // What a busy machine asks to come back is a failure of this command, and of no other: the others send it again.
      for (let repeats = 0; repeats < MOST_REPEATS && /readings were not taken at a rate/.test(output); repeats++) {
        ;[code, output] = await runLine(line, env)
      }
      assert.equal(code, 0, `${line}\n${output}`)
    }
  }
})
