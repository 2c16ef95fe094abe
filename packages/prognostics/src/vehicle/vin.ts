// What a vehicle identification number shows of the kind of vehicle. ISO 3779 gives the first three characters to the maker (WMI); what
// follows is the maker's own, and no field of it means class or fuel for all. Position 7 does not part light from heavy: 49 CFR 565 wants a
// letter there of light vehicles from 2010 on, and heavy ones may have a letter too. So only makers' identifiers that stand for one kind of
// vehicle are listed, and every other VIN is ignored: WDB, WF0, ZCF, MAT, MB1 and WMA are of cars or vans as well as of trucks.
import { type VehicleClass, vehicleClasses } from '@roadworthy/signals/vehicle-description'

export type VinMaker = {
  readonly wmi: string
  readonly maker: string
  /** `undefined`: more than one kind. */
  readonly vehicleClass: VehicleClass | undefined
  /** Every vehicle under this identifier is battery electric. */
  readonly isElectric: boolean
}

/** ISO 3779: 17 characters without I, O and Q, of which the last four are digits. */
const VIN = /^[A-HJ-NPR-Z0-9]{13}[0-9]{4}$/
const VIN_LENGTH = 17
const WMI_LENGTH = 3

export function isVin(text: string): boolean {
  return text.length === VIN_LENGTH && VIN.test(text.toUpperCase())
}

/** `undefined` where the maker stands for several kinds of vehicle, is not listed, or the text is no VIN. */
export function vinMakerOf(vin: string): VinMaker | undefined {
  return isVin(vin) ? makers.get(vin.slice(0, WMI_LENGTH).toUpperCase()) : undefined
}

/**
 * Class, maker, identifiers; `-` for several kinds. Makers and kinds after the public list of WMIs in Wikibooks ("Vehicle Identification Numbers")
 * and public decoders of trucks' and electric vehicles' VINs, which follow SAE's assignments and NHTSA's vPIC; 2HS, 2HT, 3HT and 3WK from general
 * knowledge. Of trucks of classes 6 to 8 under one identifier the heaviest is taken.
 */
const TABLE = `
heavy_truck | Freightliner | 1FU 1FV 2FU 2FV 3AK 3AL
heavy_truck | Sterling | 2FZ
heavy_truck | Western Star | 2WK 2WL 2WM 5KJ 5KK
heavy_truck | International | 1HS 1HT 2HS 2HT 3HS 3HT
heavy_truck | Kenworth | 1NK 1XK 2NK 2XK 3BK 3WK 6F5
heavy_truck | Peterbilt | 1NP 1XP 2NP 2XP 3BP
heavy_truck | Mack | 1M1 1M2 1M3 1M4
heavy_truck | Volvo Trucks | 4V1 4V2 4V3 4V4 4V5 4V6 4VL 4VM 4VZ YB1 YV2
heavy_truck | Scania | VLU XLE YS2
heavy_truck | DAF | XLR
heavy_truck | Iveco Magirus | WJM
heavy_truck | Mercedes-Benz Türk | NLE
heavy_truck | Tatra | TMT
heavy_truck | Kamaz | XTC
bus | Volvo Buses | YV3
bus | Scania | YS4
bus | EvoBus | WEB
bus | Setra | WKK
bus | Neoplan | WAG
bus | Mercedes-Benz Türk | NMB
bus | Irisbus | VNE
bus | Van Hool | YE2
bus | Solaris | SUU
bus | Nova Bus | 2NV 4RK
bus | Gillig | 15G
bus | Blue Bird | 1BA
trailer | Krone | WKE
trailer | Schmitz Cargobull | WSM
trailer | Utility | 1UY
trailer | Wabash | 1JJ
trailer | Great Dane | 1GR
trailer | Hyundai Translead | 3H3
trailer | Stoughton | 1S1
trailer | Vanguard | 5V8
motorcycle | Harley-Davidson | 1HD
motorcycle | Indian | 56K
motorcycle | Ducati | ZDM
motorcycle | Triumph | SMT
motorcycle | KTM | VBK
motorcycle | Honda | JH2
motorcycle | Yamaha | JYA
motorcycle electric | Zero | 538
passenger electric | Tesla | 5YJ 7SA LRW XP7
- electric | Tesla | 7G2
- electric | Rivian | 7FC
passenger electric | Rivian | 7PD
passenger electric | Lucid | 50E
passenger | Audi | WAU WA1
passenger | BMW | WBA WBS
passenger | Chevrolet | 1G1
passenger | Honda | 1HG 2HG JHM
passenger | Hyundai | KMH
passenger | Jaguar | SAJ
passenger | Lexus | JTH
passenger | Mercedes-Benz | W1K WDD
passenger | Porsche | WP0 WP1
passenger | SEAT | VSS
passenger | Škoda | TMB
passenger | Toyota | 4T1 JTD MBJ
passenger | Volkswagen | WVW
passenger | Volvo Cars | YV1 YV4
`

/** A row that does not fit ends the process at its start. */
const makers: ReadonlyMap<string, VinMaker> = (() => {
  const known = new Map<string, VinMaker>()
  for (const row of TABLE.trim().split('\n')) {
    const [, kind = '', electric, maker = '', identifiers = ''] =
      /^(\S+)( electric)? \| (.+) \| ((?:[A-HJ-NPR-Z0-9]{3} ?)+)$/.exec(row) ?? []
    const vehicleClass = vehicleClasses.find((each) => each === kind)
    if (vehicleClass === undefined && kind !== '-') throw new Error(`Not a row of makers: ${row}`)
    for (const wmi of identifiers.split(' ')) {
      if (known.has(wmi)) throw new Error(`Twice among makers: ${wmi}`)
      known.set(wmi, { wmi, maker, vehicleClass, isElectric: electric !== undefined })
    }
  }
  return known
})()
