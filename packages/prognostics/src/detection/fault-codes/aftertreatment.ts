// After-treatment of diesel exhaust: particulate filter, SCR with its reductant (DEF, AdBlue), NOx sensors, and exhaust gas recirculation.
// SCR, reductant and NOx faults start the driver inducement of UN R49 and R83: power or the next start is taken away. Columns and fault
// letters: code-table.ts. Numbers: SAE J2012 as listed in fabiovila/OBDIICodes (24.h), gaps of its series filled from general knowledge of
// J2012. Not in that list: P206A to P206D, P207F, P208A to P208D, P20E8, P20E9, P229E to P22A1, P2428, P2429, P244A to P244F, P24AE to
// P24B1, P2BA7 to P2BAE.
export const aftertreatmentCodes = `
# particulate filter
P2002 P2003 | =1 2 | aftertreatment | soon | particulate filter lets soot through, bank #
P2463 | - | aftertreatment | workshop | particulate filter full of soot | Regenerate it where the vehicle lets you; a full filter limits power and can burn out
P244A | - | aftertreatment | soon | pressure across the particulate filter too low
P244B | - | aftertreatment | workshop | pressure across the particulate filter too high | Power is limited; back pressure harms the turbocharger
P244C P244E | =1 2 | aftertreatment | soon | exhaust too cold for regeneration of the particulate filter, bank #
P244D P244F | =1 2 | aftertreatment | workshop | exhaust too hot in regeneration of the particulate filter, bank #
P242F | - | aftertreatment | workshop | particulate filter full of ash | Ash does not burn off: the filter has to be cleaned or replaced; power is limited
P2458 | - | aftertreatment | soon | regeneration of the particulate filter takes too long
P2459 | - | aftertreatment | soon | particulate filter regenerates too often
P200C P200D | =1 2 | aftertreatment | workshop | particulate filter too hot, bank # | Hot exhaust can set fire to what is near it: do not park on grass
P2452..P2456 | e p l h i | aftertreatment | soon | pressure sensor A of the particulate filter | Regeneration may be blocked
P245E..P2462 | e p l h i | aftertreatment | soon | pressure sensor B of the particulate filter | Regeneration may be blocked
P24AE..P24B1 | e p l h | aftertreatment | service | soot sensor behind the particulate filter
P20CB P20CD P20CE | E L H | aftertreatment | soon | fuel doser A of the exhaust
P20CC P20CF P20D0 | F O C | aftertreatment | workshop | fuel doser A of the exhaust | Fuel in the exhaust can burn
P20D1 P20D3 P20D4 | E L H | aftertreatment | soon | fuel doser B of the exhaust
P20D2 P20D5 P20D6 | F O C | aftertreatment | workshop | fuel doser B of the exhaust | Fuel in the exhaust can burn
P20D7 P20D9 P20DA | E L H | aftertreatment | soon | fuel supply of the exhaust doser
P20D8 P20DB P20DC | F O C | aftertreatment | soon | fuel supply of the exhaust doser
P20DD..P20E1 | e p l h i | aftertreatment | soon | fuel pressure sensor of the exhaust doser

# SCR and reductant
P20EE P20F2 | =1 2 | aftertreatment | workshop | SCR converts too little NOx, bank # | A countdown to less power or no restart begins
P20EF P20F3 | =1 2 | aftertreatment | workshop | SCR pre-catalyst converts too little NOx, bank # | A countdown to less power or no restart begins
P20EC P20F0 | =1 2 | aftertreatment | workshop | SCR catalyst too hot, bank #
P20ED P20F1 | =1 2 | aftertreatment | workshop | SCR pre-catalyst too hot, bank #
P2000 P2001 | =1 2 | aftertreatment | soon | NOx storage catalyst converts too little, bank #
P203F | - | aftertreatment | workshop | reductant level too low | =Refill before the distance on the display runs out: then power or the next start is taken away
P203A..P203E | e p l h i | aftertreatment | soon | reductant level sensor | A countdown to less power or no restart may begin
P207F | - | aftertreatment | workshop | reductant quality not sufficient | Refill with the right fluid: a countdown to less power or no restart begins
P206A..P206D | e p l h | aftertreatment | soon | reductant quality sensor
P202D | - | aftertreatment | soon | reductant leak | Dried reductant corrodes wires and metal
P202A..P202C | E L H | aftertreatment | soon | heater of the reductant tank | Reductant freezes at -11 °C
P205A..P205E | e p l h i | aftertreatment | service | reductant temperature sensor in the tank
P2042..P2046 | e p l h i | aftertreatment | service | reductant temperature sensor
P204A..P204E | e p l h i | aftertreatment | soon | reductant pressure sensor
P204F P205F | =1 2 | aftertreatment | workshop | reductant dosing does not do what it should, bank # | A countdown to less power or no restart begins
P20E8 P20E9 | =low high | aftertreatment | workshop | reductant pressure too # | A countdown to less power or no restart begins
P2047..P2049 P2050..P2052 P2053..P2055 P2056..P2058 | =1 2 3 4 * E L H | aftertreatment | soon | reductant injector #
P202E P201A | =1 2 * P | aftertreatment | soon | reductant injector, bank #
P20F6 P20F7 | =1 2 * O | aftertreatment | soon | reductant injector, bank #
P2062..P2064 P202F | E L H P | aftertreatment | soon | reductant supply
P208A..P208D | E P L H | aftertreatment | soon | reductant pump | A countdown to less power or no restart may begin
P20A0 P20A2 P20A3 | E L H | aftertreatment | soon | purge valve of the reductant
P20A1 P20A4 P20A5 | F O C | aftertreatment | soon | purge valve of the reductant
P20B9..P20BC P20BD..P20C0 P20C1..P20C4 P20C5..P20C8 | =A B C D * E P L H | aftertreatment | service | reductant heater # | Reductant freezes at -11 °C
P2037..P2041 | e p l h i | aftertreatment | soon | air pressure sensor A of the reductant doser
P209A..P209D | e p l h | aftertreatment | soon | air pressure sensor B of the reductant doser
P209E | X | aftertreatment | soon | air pressure sensors of the reductant doser
P2059..P2061 | E L H | aftertreatment | soon | air pump of the reductant doser
P20E6 P20E7 | =low high | aftertreatment | soon | air pressure of the reductant doser too #
P2BA7 | - | aftertreatment | workshop | NOx above the limit: reductant tank empty | =Refill now: power or the next start is taken away
P2BA8..P2BAE | =dosing_interrupted reductant_quality too_little_reductant_used wrong_recirculation_flow recirculation_switched_off cause_unknown monitoring_faulty | aftertreatment | workshop | NOx above the limit: # | A countdown to less power or no restart begins

# NOx and exhaust temperature
P2200..P2204 P2213..P2217 | =1 2 * e p l h i | aftertreatment | soon | NOx sensor, bank # | A countdown to less power or no restart may begin
P2205..P2207 P2218..P2220 | =1 2 * E L H | aftertreatment | soon | heater of the NOx sensor, bank #
P2208..P2212 P2221..P2225 | =1 2 * e p l h i | aftertreatment | soon | heater feedback of the NOx sensor, bank #
P229E..P229F P22A0..P22A1 | e p l h | aftertreatment | soon | NOx sensor behind the catalyst | A countdown to less power or no restart may begin
P0544..P0546 P0547..P0549 | =1 2 * e l h | aftertreatment | service | exhaust temperature sensor 1, bank #
P2031..P2033 P2034..P2036 | =1 2 * e l h | aftertreatment | service | exhaust temperature sensor 2, bank #
P2080..P2081 P2082..P2083 | =1 2 * p i | aftertreatment | service | exhaust temperature sensor 1, bank #
P2084..P2085 P2086..P2087 | =1 2 * p i | aftertreatment | service | exhaust temperature sensor 2, bank #
P2428 P2429 | =1 2 | aftertreatment | workshop | exhaust too hot, bank # | Hot exhaust can set fire to what is near it: do not park on grass
P2478..P247B P247C..P247F | =1 2 * at_sensor_1 at_sensor_2 at_sensor_3 at_sensor_4 | aftertreatment | workshop | exhaust temperature out of range, bank #

# exhaust gas recirculation
P0400 | fault | aftertreatment | soon | flow of exhaust gas recirculation
P0401 P0402 | =little much | aftertreatment | soon | too # exhaust gas recirculation
P0403 P0489 P0490 | E L H | aftertreatment | soon | recirculation valve A
P0404 | P | aftertreatment | soon | recirculation valve A
P0405 P0406 P0409 | l h e | aftertreatment | service | position sensor A of the recirculation valve
P0407 P0408 P0486 | l h e | aftertreatment | service | position sensor B of the recirculation valve
P042E P042F | O C | aftertreatment | soon | recirculation valve A
P045A..P045D | E P L H | aftertreatment | soon | recirculation valve B
P045E P045F | O C | aftertreatment | soon | recirculation valve B
P049A..P049C | =wrong too_little too_much | aftertreatment | soon | # flow at recirculation valve B
P049D P049E | =A B | aftertreatment | service | recirculation valve # at its learning limit
P040A..P040E | e p l h i | aftertreatment | service | temperature sensor A of the recirculation
P041A..P041E | e p l h i | aftertreatment | service | temperature sensor B of the recirculation
P040F | X | aftertreatment | service | temperature sensors of the recirculation
P044A..P044E | e p l h i | aftertreatment | service | recirculation sensor C
P046C..P046D P046E..P046F | =A B * p i | aftertreatment | service | position sensor # of the recirculation valve
P2413 | - | aftertreatment | soon | exhaust gas recirculation does not do what it should
P2425..P2427 | E L H | aftertreatment | soon | cooling valve of the recirculation
P2457 | - | aftertreatment | soon | cooler of the recirculation cools too little
P245A..P245D | E P L H | aftertreatment | soon | cooler bypass of the recirculation
P0487 P0488 P2141 P2142 | E P L H | aftertreatment | soon | throttle of the recirculation
P2143..P2145 | E L H | aftertreatment | soon | vent of the recirculation
P0470..P0474 | e p l h i | aftertreatment | service | exhaust pressure sensor A
P047A..P047E | e p l h i | aftertreatment | service | exhaust pressure sensor B
P0475..P0479 | E P L H I | aftertreatment | soon | exhaust pressure valve A
P048A | C | aftertreatment | soon | exhaust pressure valve A
P048B..P048F | e p l h i | aftertreatment | service | position sensor of the exhaust pressure valve
P049F P04A0..P04A3 | E P L H I | aftertreatment | soon | exhaust pressure valve B
P04A4 P04A5 | O C | aftertreatment | soon | exhaust pressure valve B
P04A6..P04AA | e p l h i | aftertreatment | service | position sensor of exhaust pressure valve B
P2029 P2030 | fault | aftertreatment | note | fuel-fired heater
`
