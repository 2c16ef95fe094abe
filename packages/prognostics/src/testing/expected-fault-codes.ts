// How a workshop would judge fault codes, by group and with the source of each: the dictionary is tested against it. Written from the sources, not
// from the dictionary; the severities are judgements by the rule that stands at the group.

type ExpectedGroup = {
  readonly source: string
  readonly rule: string
  /** A row: component, severity, codes. `P0115-P0119` is a range, decimal where both ends are, else hexadecimal. */
  readonly rows: string
}

const J2012_LIST = 'SAE J2012 as listed in fabiovila/OBDIICodes, 24.h'
const J2012_KNOWN = 'SAE J2012, general knowledge; texts agree with public code pages (obdhut.com, obd2.com)'
const LAND_ROVER = 'SAE J2012 as used by Land Rover, three-byte codes: jakka351/GenericDiagnosticTool, LandRoverDTC.md'
const NETWORK_LISTS = 'SAE J2012 network codes, on which public lists agree (2002 table and later)'
const OPEN_J1939 = 'DanielMartensson/Open-SAE-J1939 (MIT), Enum_DM1_DM2.h'

export const expectedGroups: readonly ExpectedGroup[] = [
  {
    source: J2012_LIST,
    rule: 'Heat or lost oil ruins the engine within minutes, burning fuel endangers persons: stop',
    rows: `
      cooling critical P0217
      lubrication critical P0524 P0298
      fuel critical P0093`,
  },
  {
    source: J2012_LIST,
    rule: 'The sensor of a danger: medium at most, because the danger would not be noticed',
    rows: `
      cooling medium P0115-P0119 P2182-P2186
      lubrication medium P0520-P0523
      transmission medium P0710-P0714
      fuel medium P0190-P0194
      intake medium P0235-P0242`,
  },
  {
    source: J2012_LIST,
    rule: 'Misfire overheats the catalyst; knock breaks pistons: straight to a workshop',
    rows: `
      engine high P0300-P0312 P0314 P0363 P2336-P2347
      engine medium P0313 P0316`,
  },
  {
    source: J2012_LIST,
    rule: 'Ignition, position sensors, knock sensors: circuits, medium',
    rows: `
      engine medium P0335-P0349 P0350-P0362 P0365-P0369 P0385-P0394 P0325-P0334 P0320-P0323 P2300-P2335`,
  },
  {
    source: J2012_LIST,
    rule: 'Camshaft timing is limited by the control: medium; shafts that do not match point to a chain that jumped: high',
    rows: `
      engine medium P0010-P0015 P0020-P0025 P2088-P2095
      engine high P0008 P0009 P0016-P0019`,
  },
  {
    source: J2012_LIST,
    rule: 'Glow plugs matter for starting in the cold only',
    rows: `
      engine low P0380 P0382 P0670-P0682`,
  },
  {
    source: J2012_LIST,
    rule: 'Cooling that falls short can end in overheating; a thermostat that stays open cannot',
    rows: `
      cooling low P0125 P0126 P0128 P0597-P0599
      cooling medium P0480-P0485 P0691-P0696
      cooling high P00B7 P2560
      cooling low P2556 P2558`,
  },
  {
    source: J2012_LIST,
    rule: 'Oil: level before pressure, sensors below both',
    rows: `
      lubrication high P250F
      lubrication low P250A-P250C P250E P0195-P0199 P253F
      lubrication medium P252F`,
  },
  {
    source: J2012_LIST,
    rule: 'Fuel: pressure that is lost stalls the engine (high); injectors and pumps by circuit medium; gauges low',
    rows: `
      fuel high P0087 P0088 P008A P00BA P00BB P0094
      fuel medium P0001-P0007 P0089-P0092 P0168-P0175 P0200-P0212 P0230-P0233 P0251-P0296 P0627-P0629
      fuel medium P2177-P2180 P2187-P2194
      fuel low P0176-P0189 P0460-P0464 P2065-P2069`,
  },
  {
    source: J2012_LIST,
    rule: 'Boost too high or missing can end the charger or the engine: high; its sensors and valves medium',
    rows: `
      intake high P0234 P0299 P0049 P2263
      intake medium P0243-P0250 P0045-P0048 P2563 P2564 P2566
      intake medium P0100-P0109 P0120-P0124 P0220-P0229 P2135-P2138 P2100-P2103
      intake high P2105 P2110-P2112
      intake low P0110-P0114 P0095-P0099`,
  },
  {
    source: J2012_LIST,
    rule: 'Emissions of petrol engines do not limit driving: low',
    rows: `
      emissions low P0130-P0147 P0150-P0167 P0030-P0032 P0036-P0038 P0420-P0424 P0430-P0434 P0440-P0454 P0456-P0459 P0410-P0419
      emissions low P0491 P0492 P2195-P2198
      emissions medium P0455
      emissions high P200E P200F`,
  },
  {
    source: J2012_LIST,
    rule: 'Diesel after-treatment: what limits power or starts the inducement is high, its sensors medium, temperatures low',
    rows: `
      aftertreatment high P20EE P20F2 P203F P204F P2463 P242F P200C P200D
      aftertreatment medium P2002 P2003 P203A-P203E P2200-P2206 P2213 P2214 P2219 P2452-P2456 P2458 P2459 P2047-P2058
      aftertreatment medium P0400-P0404 P042E P0489 P0490
      aftertreatment low P0405-P0409 P0544-P0549 P2031-P2036 P2080-P2087 P0470-P0474`,
  },
  {
    source: J2012_LIST,
    rule: 'Transmission: heat, lost fluid and slipping clutches burn it: high; wrong ratios, solenoids and sensors medium',
    rows: `
      transmission high P0218 P070F P0811 P0893 P0894 P072A-P072F P073D-P073F P079A-P079F P0746 P0747
      transmission medium P0700-P0702 P0705-P0709 P0715-P0718 P0720-P0723 P0725-P0728 P0730-P0736 P0740-P0745
      transmission medium P0750-P0774 P0780-P0784 P0840-P0849 P0870-P0874 P2716-P2721 P0500-P0503
      transmission low P070A-P070E P0704`,
  },
  {
    source: J2012_LIST,
    rule: 'Supply and charging: medium, because a battery lasts for a while',
    rows: `
      battery medium P0560-P0563
      charging medium P0620-P0622 P0625 P0626 P2500 P2501
      engine medium P0600-P0607 P0641-P0643 P0685-P0690`,
  },
  {
    source: J2012_LIST,
    rule: 'Comfort has no effect on driving',
    rows: `
      body info P0530-P0533 P0565-P0570 P0645-P0647
      body low P0534`,
  },
  {
    source: J2012_LIST,
    rule: 'Brakes and steering seen by the engine control: lost assistance is high, circuits medium',
    rows: `
      brakes high P050F
      brakes medium P0555-P0559 P0504
      brakes low P0571-P0573
      chassis medium P0635-P0637`,
  },
  {
    source: J2012_KNOWN,
    rule: 'High voltage that can reach a person, or a battery that can burn: stop; lost drive or a protection: high; sensors medium at most',
    rows: `
      high_voltage critical P0AA6 P0A7E P0AA1 P0AA4
      high_voltage high P0A80 P0C00 P0C01 P0A0A-P0A0E P0A1B P0A1D P0A1F P0A2F P0A3C P0A44 P0A78 P0A90 P0A94 P0A95 P0AA2 P0AA5
      high_voltage high P0AFA P0AFB P0A8D P0BFD P0C03 P0A5D-P0A62
      high_voltage medium P0A7D P0A7F P0A09 P0A2A-P0A2D P0A40-P0A42 P0A52-P0A54 P0A9D P0A9E P0AA7-P0AAB P0ABB-P0ABD P0ABF-P0AC2
      high_voltage medium P0AED-P0AF0 P0AFC P0BE6 P0B15-P0B17 P0B3D P0B42
      high_voltage medium P0D10 P0D12 P0D20 P0D22 P0D26 P0D2A
      high_voltage low P0AAE P0AAF P0AB3 P0AB4 P0A00-P0A04 P0D02
      high_voltage info P0D2B P0D2C`,
  },
  {
    source: LAND_ROVER,
    rule: 'Brakes: no fluid means stop, lost ABS or assistance high, a wheel speed or yaw sensor medium',
    rows: `
      brakes critical C0049 C0128
      brakes high C0020 C0110 C0021 C0072
      brakes medium C0031 C0034 C0035 C0037 C003A C0040 C0047 C0061-C0064 C006A C006B
      chassis medium C0051 C0079
      brakes low C0081 C0082`,
  },
  {
    source: LAND_ROVER,
    rule: 'Restraints: what does not deploy is high, seat belt sensors medium',
    rows: `
      body high B0001 B0002 B0004 B0005 B0010 B0011 B0020 B0021 B0028 B0029 B0070 B0072 B0090-B0093 B0095-B0098 B00A0
      body medium B0050 B0052 B0053 B00B5`,
  },
  {
    source: NETWORK_LISTS,
    rule: 'A silent unit is as grave as what it does: engine, drive, brakes, steering and restraints high, radio nothing',
    rows: `
      network high U0001 U0073 U0100 U0101 U0105 U0107 U0109 U0110 U0111 U0121 U0129 U0131 U0151 U0293
      network medium U0103 U0126 U0140 U0146 U0155 U0401 U0402 U0415 U0418 U0428
      network info U0104 U0164 U0184 U0199`,
  },
  {
    source: OPEN_J1939,
    rule: 'FMI 0 and 1 on the harmful side are what the parameter is about; 16 and 18 milder, 15 and 17 mildest (J1939-73); 3 to 6 are circuits',
    rows: `
      lubrication critical SPN_100_FMI_1
      lubrication medium SPN_100_FMI_3 SPN_100_FMI_4 SPN_100_FMI_5
      cooling critical SPN_110_FMI_0 SPN_111_FMI_1
      cooling medium SPN_110_FMI_16
      cooling low SPN_110_FMI_15 SPN_110_FMI_3 SPN_110_FMI_4
      brakes critical SPN_117_FMI_1 SPN_118_FMI_1 SPN_1087_FMI_1 SPN_1099_FMI_1
      brakes medium SPN_1099_FMI_18 SPN_789_FMI_5
      aftertreatment critical SPN_5246_FMI_0 SPN_3719_FMI_0
      aftertreatment high SPN_1569_FMI_31 SPN_3720_FMI_0 SPN_3251_FMI_0 SPN_1761_FMI_1 SPN_4364_FMI_18 SPN_5246_FMI_16
      aftertreatment medium SPN_5246_FMI_15 SPN_3720_FMI_16 SPN_3251_FMI_3 SPN_3251_FMI_4 SPN_3216_FMI_4 SPN_3226_FMI_5 SPN_1761_FMI_3
      fuel high SPN_157_FMI_1 SPN_94_FMI_1 SPN_651_FMI_0
      fuel medium SPN_651_FMI_5 SPN_652_FMI_3 SPN_656_FMI_6 SPN_157_FMI_3 SPN_157_FMI_18
      intake high SPN_102_FMI_0 SPN_641_FMI_31
      intake medium SPN_102_FMI_3 SPN_102_FMI_18
      battery low SPN_168_FMI_4
      battery medium SPN_168_FMI_18 SPN_168_FMI_16
      transmission high SPN_177_FMI_0 SPN_127_FMI_1
      engine medium SPN_1323_FMI_31 SPN_1322_FMI_31
      network high SPN_639_FMI_0`,
  },
]

/** What was answered wrongly before there was a dictionary, with the reason why this is right. */
export const formerlyWrong: readonly (readonly [code: string, component: string, severity: string, why: string])[] = [
  ['P2560', 'cooling', 'high', 'engine coolant level low: it was an engine fault of no name'],
  ['P20EE', 'aftertreatment', 'high', 'SCR efficiency: the inducement begins'],
  ['P203F', 'aftertreatment', 'high', 'reductant level too low: it has to be filled before power is taken away'],
  ['P242F', 'aftertreatment', 'high', 'ash does not burn off: the filter has to come out'],
  ['P2463', 'aftertreatment', 'high', 'soot restricts the filter: regenerate or lose power'],
  ['P2002', 'aftertreatment', 'medium', 'the filter lets soot through: illegal, but it drives'],
  ['P2202', 'aftertreatment', 'medium', 'circuit low of a NOx sensor: at most medium'],
  ['P2293', 'fuel', 'medium', 'fuel pressure regulator 2: it was taken for NOx'],
  ['P2262', 'intake', 'high', 'no boost, mechanical: it was taken for NOx'],
  ['P0230', 'fuel', 'medium', 'fuel pump primary circuit: it was an engine fault of no name'],
  ['P0520', 'lubrication', 'medium', 'circuit of the oil pressure sensor: not the pressure itself'],
  ['P0521', 'lubrication', 'medium', 'range of the oil pressure sensor: not the pressure itself'],
  ['P0524', 'lubrication', 'critical', 'oil pressure too low: bearings fail within minutes'],
  ['P0A80', 'high_voltage', 'high', 'the traction battery, not the 12 V battery'],
  ['P0AA6', 'high_voltage', 'critical', 'high voltage can reach a person'],
  ['P0C00', 'high_voltage', 'high', 'current of drive motor A too low: drive may be lost'],
  ['SPN 1099 FMI 1', 'brakes', 'critical', 'brake lining of the front axle used up'],
  ['SPN 1099 FMI 18', 'brakes', 'medium', 'brake lining of the front axle low'],
  ['SPN 5246 FMI 0', 'aftertreatment', 'critical', 'last step of the inducement: the vehicle crawls'],
  ['SPN 5246 FMI 16', 'aftertreatment', 'high', 'inducement: power is taken away'],
  ['SPN 1569 FMI 31', 'aftertreatment', 'high', 'torque derate'],
  ['SPN 3720 FMI 0', 'aftertreatment', 'high', 'ash load of the filter'],
  ['SPN 3720 FMI 16', 'aftertreatment', 'medium', 'ash load of the filter'],
  ['SPN 3251 FMI 0', 'aftertreatment', 'high', 'pressure across the filter'],
  ['SPN 3251 FMI 4', 'aftertreatment', 'medium', 'circuit of that pressure sensor'],
  ['SPN 651 FMI 5', 'fuel', 'medium', 'injector of cylinder 1 open: the cylinder does not work; it was low'],
  ['U0100', 'network', 'high', 'the engine control is silent: it was low'],
]

/** A tank that the driver fills, a battery that he charges: no matter for a workshop. */
export const driversOwn: readonly (readonly [code: string, advice: RegExp])[] = [
  ['P203F', /^Refill/],
  ['P2BA7', /^Refill/],
  ['P0A7D', /^Charge/],
  ['SPN 1761 FMI 1', /^Refill/],
  ['SPN 96 FMI 1', /^Refuel$/],
]

/** What a sensor measures, and the codes of that sensor's circuit. */
export const conditionsAndCircuits: readonly (readonly [condition: string, circuits: string])[] = [
  ['P0524', 'P0520-P0523'],
  ['P0217', 'P0115-P0119 P2182-P2186'],
  ['P0298', 'P0195-P0199'],
  ['P0218', 'P0710-P0714'],
  ['P0087', 'P0190-P0194'],
  ['P0234', 'P0235-P0242'],
  ['P0299', 'P0235-P0242'],
  ['P2560', 'P2556-P2559'],
  ['P250F', 'P250A-P250E'],
  ['P070F', 'P070A-P070E'],
  ['P0868', 'P0840-P0844'],
  ['P203F', 'P203A-P203E'],
  ['P207F', 'P206A-P206D'],
  ['P20EE', 'P2200-P2204'],
  ['P2463', 'P2452-P2456'],
  ['P242F', 'P2452-P2456'],
  ['P0455', 'P0450-P0454'],
  ['P0171', 'P0130-P0134'],
  ['P0401', 'P0405-P0409'],
  ['P050F', 'P0555-P0559'],
  ['P2269', 'P2264-P2268'],
  ['P0534', 'P0530-P0533'],
  ['P0AA6', 'P0AA7-P0AAB'],
  ['P0A7E', 'P0A9B-P0A9F P0AC5-P0AC9'],
  ['P0A2F', 'P0A2A-P0A2E'],
  ['P0A3C', 'P0AED-P0AF1'],
  ['P0C00', 'P0A51-P0A54 P0BE5-P0BE8'],
  ['P0AFA', 'P0ABA-P0ABE'],
]

export function codesIn(list: string): string[] {
  return list.split(' ').flatMap((part) => {
    const [from = '', to] = part.split('-')
    if (to === undefined) return [part.replaceAll('_', ' ')]
    const base = /[A-F]/.test(from.slice(1) + to.slice(1)) ? 16 : 10
    const [first, last] = [Number.parseInt(from.slice(1), base), Number.parseInt(to.slice(1), base)]
    return Array.from({ length: last - first + 1 }, (_, at) => from[0] + (first + at).toString(base).toUpperCase().padStart(4, '0'))
  })
}
