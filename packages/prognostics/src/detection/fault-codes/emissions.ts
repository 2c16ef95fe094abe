// Emission control of petrol engines: oxygen sensors, catalyst, fuel vapour, secondary air. What follows a diesel engine is in
// aftertreatment.ts. Columns and fault letters: code-table.ts. Numbers: SAE J2012 as listed in fabiovila/OBDIICodes (24.h), gaps of its
// series filled from general knowledge of J2012.
export const emissionsCodes = `
# oxygen sensors
P0030..P0032 P0036..P0038 P0042..P0044 | =1 2 3 * E L H | emissions | service | heater of oxygen sensor #, bank 1
P0050..P0052 P0056..P0058 P0062..P0064 | =1 2 3 * E L H | emissions | service | heater of oxygen sensor #, bank 2
P0040..P0041 | =front rear | emissions | service | # oxygen sensors of the banks are swapped
P0053..P0055 P0059..P0061 | fault | emissions | service | resistance of an oxygen sensor heater
P0130..P0135 P0136..P0141 P0142..P0147 | =1 2 3 * e l h slow no_signal heater_fault | emissions | service | oxygen sensor #, bank 1
P0150..P0155 P0156..P0161 P0162..P0167 | =1 2 3 * e l h slow no_signal heater_fault | emissions | service | oxygen sensor #, bank 2
P013A..P013F P014A..P014E | - | emissions | service | oxygen sensor too slow
P015A..P015D | - | emissions | service | oxygen sensor too slow
P2195 P2197 | =1 2 | emissions | service | oxygen sensor 1 stuck lean, bank #
P2196 P2198 | =1 2 | emissions | service | oxygen sensor 1 stuck rich, bank #
P2270 P2272 | =1 2 | emissions | service | oxygen sensor 2 stuck lean, bank #
P2271 P2273 | =1 2 | emissions | service | oxygen sensor 2 stuck rich, bank #
P2274 P2276 | =1 2 | emissions | service | oxygen sensor 3 stuck lean, bank #
P2275 P2277 | =1 2 | emissions | service | oxygen sensor 3 stuck rich, bank #
P2231..P2236 | - | emissions | service | oxygen sensor signal shorted to its heater
P2237..P2242 | fault | emissions | service | pump current of the wide-band oxygen sensor
P2243..P2246 P2247..P2250 | =1 2 * e p l h | emissions | service | reference voltage of oxygen sensor 1, bank #
P2251..P2253 P2254..P2256 | =1 2 * e l h | emissions | service | return line of oxygen sensor 1, bank #
P2626..P2628 P2629..P2631 | =1 2 * e l h | emissions | service | trim of oxygen sensor 1, bank #
P2A00 P2A01 P2A02 | =1 2 3 * p | emissions | service | oxygen sensor #, bank 1
P2A03 P2A04 P2A05 | =1 2 3 * p | emissions | service | oxygen sensor #, bank 2
P2096 P2098 | =1 2 | emissions | service | mixture behind the catalyst too lean, bank #
P2097 P2099 | =1 2 | emissions | service | mixture behind the catalyst too rich, bank #

# catalyst
P0420 P0430 | =1 2 | emissions | service | catalyst converts too little, bank #
P0421 P0431 | =1 2 | emissions | service | start catalyst converts too little, bank #
P0422 P0432 | =1 2 | emissions | service | main catalyst converts too little, bank #
P0423 P0433 | =1 2 | emissions | service | heated catalyst converts too little, bank #
P0424 P0434 | =1 2 | emissions | service | heated catalyst stays too cold, bank #
P0425..P0428 P0435..P0438 | =1 2 * e p l h | emissions | service | catalyst temperature sensor 1, bank #
P042A..P042D P043A..P043D | =1 2 * e p l h | emissions | service | catalyst temperature sensor 2, bank #
P0429 P0439 | =1 2 * E | emissions | service | catalyst heater, bank #
P046A P046B | =1 2 * X | emissions | service | catalyst temperatures, bank #
P200E P200F | =1 2 | emissions | workshop | catalyst overheated, bank # | Hot exhaust can set fire to what is near it: do not park on grass
P050E | - | emissions | service | exhaust too cold at cold start

# fuel vapour
P0440 | fault | emissions | service | fuel vapour system
P0441 P0496 P0497 | =wrong unwanted too_little | emissions | service | # purge flow of the fuel vapour system
P0442 P0456 | =small very_small | emissions | service | # leak of the fuel vapour system | Close or renew the fuel cap first
P0455 | - | emissions | soon | large leak of the fuel vapour system | Close or renew the fuel cap first; have it repaired when fuel is smelt
P0457 | - | emissions | service | leak of the fuel vapour system: fuel cap loose or missing | Close the fuel cap
P0443..P0445 P0458 P0459 | E E E L H | emissions | service | purge valve
P0446..P0449 P0498 P0499 | E E E E L H | emissions | service | vent valve of the fuel vapour system
P0450..P0454 | e p l h i | emissions | service | pressure sensor of the fuel vapour system
P0465..P0469 | e p l h i | emissions | service | purge flow sensor
P043E | fault | emissions | service | reference of the leak detection
P2024..P2028 | e p l h i | emissions | service | vapour temperature sensor
P2400..P2403 | E L H e | emissions | service | leak detection pump
P2404 P2405 P2406 | p l h | emissions | service | leak detection pump
P2418..P2420 | E L H | emissions | service | switching valve of the fuel vapour system
P2421 P2422 | O C | emissions | service | vent valve of the fuel vapour system
P0624 | E | emissions | note | fuel cap lamp

# secondary air
P0410 | fault | emissions | service | secondary air
P0411 | - | emissions | service | wrong flow of secondary air
P0412..P0414 P0415..P0417 | =A B * E E E | emissions | service | secondary air valve #
P0418 P0419 | =A B * E | emissions | service | relay # of the secondary air pump
P0491 P0492 | =1 2 | emissions | service | too little secondary air, bank #
P044F | H | emissions | service | secondary air valve A
P2257..P2260 | L H L H | emissions | service | secondary air control
P2430..P2434 P2435..P2439 | =1 2 * e p l h i | emissions | service | secondary air flow sensor, bank #
P2440 P2442 | =1 2 * O | emissions | service | secondary air valve, bank #
P2441 P2443 | =1 2 * C | emissions | service | secondary air valve, bank #
P2444 P2446 | =1 2 * S | emissions | service | secondary air pump, bank #
P2445 P2447 | =1 2 * F | emissions | service | secondary air pump, bank #
P064D P064E | =1 2 * fault | emissions | service | oxygen sensor electronics in the engine control unit, bank #
`
