import { globSync, readdirSync, readFileSync } from 'node:fs'

/** Kernel ticks a second in /proc: USER_HZ, which is 100 on every Linux that Node supports. */
const TICKS_PER_S = 100

/**
 * CPU seconds used so far by a process and all its living descendants, from /proc; undefined where there is none. On a busy machine this
 * shows what a row costs when the wall clock shows nothing.
 */
function cpuSecondsOfTree(rootPid: number): number | undefined {
  const children = new Map<number, number[]>()
  const ticks = new Map<number, number>()
  let entries: string[]
  try {
    entries = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    // Not Linux.
    return undefined
  }
  for (const entry of entries) {
    const stat = readStat(entry)
    if (stat === undefined) continue
    ticks.set(Number(entry), stat.ticks)
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), Number(entry)])
  }
  const sum = (pid: number): number => (ticks.get(pid) ?? 0) + (children.get(pid) ?? []).reduce((total, child) => total + sum(child), 0)
  return sum(rootPid) / TICKS_PER_S
}

function readStat(pid: string): { parent: number; ticks: number } | undefined {
  try {
    // Fields after the command, which is in parentheses and may hold anything: state, ppid, …, utime (12th), stime (13th).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()?.split(' ') ?? []
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14]) }
  } catch {
    // The process ended between the listing and the reading.
    return undefined
  }
}

/** The server of a cluster somewhere below the folder. */
export function postmasterPid(dataPath: string): number {
  const [file] = globSync(`${dataPath}/**/postmaster.pid`)
  if (file === undefined) throw new Error(`no postmaster.pid below ${dataPath}`)
  return Number(readFileSync(file, 'utf8').split('\n')[0])
}

/** Runs a load and returns what each of its rows cost in CPU time, where the machine reports it. */
export async function withCpu<T extends object>(
  trees: Record<string, number>,
  rows: number,
  run: () => Promise<T>,
): Promise<T & { cpuUsPerRow: Record<string, number> }> {
  const read = () => Object.entries(trees).map(([name, pid]) => [name, cpuSecondsOfTree(pid)] as const)
  const before = new Map(read())
  const result = await run()
  const used = read().map(([name, after]): [string, number] => [
    name,
    Math.round((((after ?? Number.NaN) - (before.get(name) ?? Number.NaN)) * 1e7) / rows) / 10,
  ])
  return { ...result, cpuUsPerRow: Object.fromEntries(used) }
}

/** Resident memory of a process and all its living descendants in MB, from /proc; shared pages count for each. */
export function residentMbOfTree(rootPid: number): Record<string, number> {
  const resident: Record<string, number> = {}
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (!isDescendant(Number(pid), rootPid)) continue
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, 2).join(' ')
    const kb = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0)
    resident[`${pid} ${command.split('/').slice(-3).join('/')}`] = Math.round(kb / 1024)
  }
  return resident
}

function isDescendant(pid: number, rootPid: number): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 1; at = readStat(String(at))?.parent) if (at === rootPid) return true
  return false
}
