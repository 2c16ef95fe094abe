// Fuel: tank to injector, mixture. Columns and fault letters: code-table.ts. Numbers: SAE J2012 as listed in fabiovila/OBDIICodes (24.h),
// gaps of its series filled from general knowledge of J2012.
export const fuelCodes = `
# pressure
P0087 | - | fuel | workshop | fuel rail pressure too low | The engine can stall under load
P0088 | - | fuel | workshop | fuel rail pressure too high | Injectors and seals can be damaged
P0089 | - | fuel | soon | fuel pressure regulator 1 does not hold pressure
P2293 | - | fuel | soon | fuel pressure regulator 2 does not hold pressure | Power may be limited
P008A..P008B | =low high | fuel | workshop | pressure before the high-pressure pump too # | The engine can stall
P00B9 | - | fuel | soon | pressure before the high-pressure pump too low in the cold
P00BA | - | fuel | workshop | fuel pressure too low: power is limited
P00BB | - | fuel | workshop | injectors deliver too little: power is limited
P0190..P0194 | e p l h i | fuel | soon | fuel rail pressure sensor A | Power may be limited
P018A..P018E | e p l h i | fuel | soon | fuel pressure sensor B
P2540 P2542..P2543 | p h i | fuel | soon | sensor of the low fuel pressure
P2541 | l | fuel | soon | sensor of the low fuel pressure
P0090..P0092 | E L H | fuel | soon | fuel pressure regulator 1
P2294..P2296 | E L H | fuel | soon | fuel pressure regulator 2
P228C P228E | =control learning | fuel | soon | fuel pressure regulator 1 at its # limit: pressure too low
P228D P228F | =control learning | fuel | soon | fuel pressure regulator 1 at its # limit: pressure too high
P229A P229C | =control learning | fuel | soon | fuel pressure regulator 2 at its # limit: pressure too low
P229B P229D | =control learning | fuel | soon | fuel pressure regulator 2 at its # limit: pressure too high
P000F P018F | - | fuel | soon | fuel pressure relief valve opened
P009B..P009D | E L H | fuel | soon | fuel pressure relief
P009E..P009F | F S | fuel | soon | fuel pressure relief
P0001 P0003 P0004 | E L H | fuel | soon | fuel volume regulator
P0002 P000E | - | fuel | soon | fuel volume regulator at its limit
P0005..P0007 | E L H | fuel | soon | fuel shut-off valve A | The engine may not start or not stop
P0093 | - | fuel | stop | large fuel leak | Fuel may catch fire: switch off, and keep people away from it
P0094 | - | fuel | workshop | small fuel leak | Do not drive on when fuel is seen or smelt

# pump and tank
P0230 | E | fuel | soon | fuel pump, control side | The engine may stop or not start
P0231..P0233 P023F | L H I E | fuel | soon | fuel pump, power side | The engine may stop or not start
P025A..P025D | E P L H | fuel | soon | fuel pump control unit | The engine may stop or not start
P0627..P0629 P062A | E L H P | fuel | soon | fuel pump A | The engine may stop or not start
P2632..P2634 | E L H | fuel | soon | fuel pump B
P064A | fault | fuel | soon | fuel pump control unit
P008C..P008E | E L H | fuel | service | fuel cooler pump
P0460..P0464 | e p l h i | fuel | service | fuel level sensor A | The gauge may be wrong
P2065..P2069 | e p l h i | fuel | service | fuel level sensor B | The gauge may be wrong
P0656 | e | fuel | note | fuel level output
P2264..P2268 | e p l h i | fuel | service | water-in-fuel sensor
P2269 | - | fuel | workshop | water in the fuel | Drain the separator; water ruins pump and injectors
P0168 | - | fuel | soon | fuel too hot
P0169 | - | fuel | soon | wrong fuel | If the wrong fuel was filled, do not start the engine
P0176..P0179 | e p l h | fuel | service | fuel composition sensor
P0180..P0184 P0185..P0189 | =A B * e p l h i | fuel | service | fuel temperature sensor #
P008F | X | fuel | service | coolant and fuel temperature
P0148 | fault | fuel | soon | fuel delivery
P0149 | fault | fuel | soon | fuel timing
P0618..P0619 | fault | fuel | soon | control unit of the alternative fuel

# injectors
P0200 | E | fuel | soon | injectors | A cylinder may not work
P0201..P0212 | =1..12 * E | fuel | soon | injector of cylinder # | The cylinder may not work
P0213..P0214 | =1 2 * E | fuel | service | cold-start injector #
P0215 | E | fuel | soon | engine stop solenoid | The engine may not start or not stop
P0216 | E | fuel | soon | injection timing control
P020A..P020F P021A..P021F | =1..12 * fault | fuel | soon | injection timing of cylinder #
P0251..P0255 P0256..P0260 | =A B * E P L H I | fuel | soon | metering of the injection pump #
P0261..P0296 | =1..12 * L H b | fuel | soon | injector of cylinder # | The cylinder may not work
P029A..P02C9 | =1..12 * mixture_at_upper_limit mixture_at_lower_limit restricted leaking | fuel | soon | injector of cylinder #
P02CC..P02DF | =1..10 * at_lower_limit at_upper_limit | fuel | soon | injector correction of cylinder #
P02EE..P02F9 | =1..12 * P | fuel | soon | injector of cylinder #
P0611 | fault | fuel | soon | injector control unit
P0612 | E | fuel | soon | relay of the injector control unit
P062D..P062E | =1 2 * E | fuel | soon | injector driver, bank #
P062B | fault | fuel | soon | injector control inside the engine control unit
P2146..P2148 P2149..P2151 P2152..P2154 P2155..P2157 | =A B C D * E L H | fuel | soon | supply of injector group # | Several cylinders may not work
P216A..P216C P216D..P216F P217A..P217C P217D..P217F | =E F G H * E L H | fuel | soon | supply of injector group # | Several cylinders may not work
P219C..P219F | =1 2 3 4 | fuel | soon | mixture of cylinder # differs from the others
P2283..P2287 | e p l h i | fuel | soon | injection control pressure sensor
P2288..P2289 | - | fuel | workshop | injection control pressure too high
P2290..P2291 | - | fuel | workshop | injection control pressure too low | The engine may stop or not start

# mixture
P0170 P0173 | =1 2 * fault | fuel | soon | mixture control, bank #
P0171 P0174 | =1 2 | fuel | soon | mixture too lean, bank #
P0172 P0175 | =1 2 | fuel | soon | mixture too rich, bank # | Too much fuel overheats the catalyst
P2177 P2179 | =1 2 | fuel | soon | mixture too lean above idle, bank #
P2178 P2180 | =1 2 | fuel | soon | mixture too rich above idle, bank #
P2187 P2189 | =1 2 | fuel | soon | mixture too lean at idle, bank #
P2188 P2190 | =1 2 | fuel | soon | mixture too rich at idle, bank #
P2191 P2193 | =1 2 | fuel | soon | mixture too lean under load, bank #
P2192 P2194 | =1 2 | fuel | soon | mixture too rich under load, bank #
P219A P219B | =1 2 | fuel | soon | cylinders get unequal mixture, bank #
P0065..P0067 | P L H | fuel | service | air-assisted injector
`
