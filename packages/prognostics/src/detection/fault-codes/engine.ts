// Engine: timing, ignition, misfire, cooling, lubrication. Columns and fault letters: code-table.ts. Numbers: SAE J2012 as listed in
// fabiovila/OBDIICodes (24.h), gaps of its series filled from general knowledge of J2012. Titles and classes are our own, here and in the
// other tables.
export const engineCodes = `
# camshaft and crankshaft
P0008..P0009 | =1 2 | engine | workshop | crankshaft and camshafts out of step, bank # | The timing chain or belt may have jumped; the engine can be ruined
P000A P000C | =1 2 | engine | soon | intake camshaft adjusts too slowly, bank #
P000B P000D | =1 2 | engine | soon | exhaust camshaft adjusts too slowly, bank #
P0010 P0020 | =1 2 * E | engine | soon | intake camshaft adjuster, bank #
P0011 P0021 | =1 2 | engine | soon | intake camshaft too far advanced, bank #
P0012 P0022 | =1 2 | engine | soon | intake camshaft too far retarded, bank #
P0013 P0023 | =1 2 * E | engine | soon | exhaust camshaft adjuster, bank #
P0014 P0024 | =1 2 | engine | soon | exhaust camshaft too far advanced, bank #
P0015 P0025 | =1 2 | engine | soon | exhaust camshaft too far retarded, bank #
P0016..P0019 | =1_A 1_B 2_A 2_B | engine | workshop | crankshaft and camshaft do not match, bank and shaft # | The timing chain or belt may have jumped; the engine can be ruined
P001A..P001C P001D..P001F | =1 2 * E L H | engine | soon | intake cam profile switching, bank #
P002A..P002C P002D..P002F | =1 2 * E L H | engine | soon | exhaust cam profile switching, bank #
P003C..P003D P003E..P003F | =1 2 * F S | engine | soon | intake cam profile switching, bank #
P005A..P005B P005C..P005D | =1 2 * F S | engine | soon | exhaust cam profile switching, bank #
P0026 P0028 | =1 2 * P | engine | soon | intake valve control solenoid, bank #
P0027 P0029 | =1 2 * P | engine | soon | exhaust valve control solenoid, bank #
P0075..P0077 P0081..P0083 | =1 2 * E L H | engine | soon | intake valve control solenoid, bank #
P0078 P0079 P0080 P0084..P0086 | =1 2 * E L H | engine | soon | exhaust valve control solenoid, bank #
P2088..P2089 P2092..P2093 | =1 2 * L H | engine | soon | intake camshaft adjuster, bank #
P2090..P2091 P2094..P2095 | =1 2 * L H | engine | soon | exhaust camshaft adjuster, bank #
P052A..P052B P052C..P052D | =1_early 1_late 2_early 2_late * fault | engine | service | intake camshaft at cold start, bank and direction #
P054A..P054B P054C..P054D | =1_early 1_late 2_early 2_late * fault | engine | service | exhaust camshaft at cold start, bank and direction #
P0315 | - | engine | note | crankshaft sensor wheel not learned
P0335..P0339 | e p l h i | engine | soon | crankshaft position sensor A | The engine may stop or not start
P0385..P0389 | e p l h i | engine | soon | crankshaft position sensor B | The engine may stop or not start
P0340..P0344 P0345..P0349 | =1 2 * e p l h i | engine | soon | camshaft position sensor A, bank # | The engine may not start
P0365..P0369 P0390..P0394 | =1 2 * e p l h i | engine | soon | camshaft position sensor B, bank # | The engine may not start
P0320..P0323 | e p n i | engine | soon | engine speed signal of the ignition | The engine may stop or not start
P0370..P0374 P0375..P0379 | =A B * e h l i n | engine | soon | timing reference signal #
P2646 P2647 P2651 P2652 | =1 2 * F S | engine | soon | rocker arm switching, bank #
P3400 P3497 | =1 2 * fault | engine | soon | cylinder deactivation, bank #

# misfire and ignition
P0300 | - | engine | workshop | misfire in several cylinders | Unburnt fuel overheats the catalyst: keep load low; with a flashing warning lamp do not drive on
P0301..P0312 | =1..12 | engine | workshop | misfire in cylinder # | Unburnt fuel overheats the catalyst: keep load low; with a flashing warning lamp do not drive on
P0313 | - | engine | soon | misfire with little fuel in the tank | Refuel first
P0314 | - | engine | workshop | misfire in one cylinder, not known which | Unburnt fuel overheats the catalyst: keep load low
P0316 | - | engine | soon | misfire just after the start
P0363 | - | engine | workshop | misfire: fuel to a cylinder is cut off | The engine runs with less power
P0317..P0319 | fault | engine | note | rough-road detection
P0324 | fault | engine | soon | knock control
P0325..P0329 P0330..P0334 | =1 2 * e p l h i | engine | soon | knock sensor # | The engine control retards ignition and power drops
P032A..P032E P033A..P033E | =3 4 * e p l h i | engine | soon | knock sensor #
P0350 | E | engine | soon | ignition coil | A cylinder may not fire
P0351..P0362 | =A B C D E F G H I J K L * E | engine | soon | ignition coil # | The cylinder may not fire
P2300..P2301 P2303..P2304 P2306..P2307 P2309..P2310 P2312..P2313 P2315..P2316 | =A B C D E F * L H | engine | soon | ignition coil #, primary side
P2318..P2319 P2321..P2322 P2324..P2325 P2327..P2328 P2330..P2331 P2333..P2334 | =G H I J K L * L H | engine | soon | ignition coil #, primary side
P2302 P2305 P2308 P2311 P2314 P2317 P2320 P2323 P2326 P2329 P2332 P2335 | =A B C D E F G H I J K L * E | engine | soon | ignition coil #, secondary side
P2336..P2347 | =1..12 | engine | workshop | knock above the limit in cylinder # | Knocking engines lose pistons: keep load low
P0380 P0382 | =A B * E | engine | service | glow plugs or heater, circuit # | Starting in the cold gets hard
P0381 | E | engine | note | glow plug lamp
P0383..P0384 | L H | engine | service | glow plug control unit
P0670 | E | engine | service | glow plug control unit | Starting in the cold gets hard
P0671..P0682 | =1..12 * E | engine | service | glow plug of cylinder # | Starting in the cold gets hard
P0683..P0684 | e p | engine | service | connection of the glow plug control unit

# cooling
P0217 | - | cooling | stop | engine overheated | Heat ruins the cylinder head within minutes: switch the engine off and let it cool
P0115..P0119 | e p l h i | cooling | soon | coolant temperature sensor 1 | Overheating would not be noticed: watch the gauge
P2182..P2186 | e p l h i | cooling | soon | coolant temperature sensor 2
P011A | X | cooling | soon | coolant temperature sensors 1 and 2
P011B | X | cooling | service | coolant and intake air temperature
P0125 | - | cooling | service | coolant too cold for mixture control
P0126 | - | cooling | service | coolant does not get warm enough
P0128 | - | cooling | service | coolant stays below the thermostat's temperature | The thermostat is likely stuck open; fuel use and wear rise
P00B1..P00B5 | e p l h i | cooling | service | radiator temperature sensor
P00B6 | X | cooling | service | radiator and coolant temperature
P00B7 | - | cooling | workshop | coolant flow too low | The engine can overheat: watch the gauge and stop when it rises
P2181 | - | cooling | soon | cooling system does not do what it should
P2556..P2559 | e p l h | cooling | service | coolant level sensor
P2560 | - | cooling | workshop | coolant level too low | Top up before driving on, with the engine cold, and look for the leak; without coolant the engine is ruined
P0480..P0482 | =1 2 3 * E | cooling | soon | cooling fan # | The engine may overheat in slow traffic
P0483 | - | cooling | soon | cooling fan does not follow its command | The engine may overheat in slow traffic
P0484 | E | cooling | soon | cooling fan draws too much current
P0485 | E | cooling | soon | supply or ground of the cooling fan
P0493..P0495 | - | cooling | soon | cooling fan at the wrong speed
P0526..P0529 | e p n i | cooling | service | fan speed sensor
P0691..P0692 P0693..P0694 P0695..P0696 | =1 2 3 * L H | cooling | soon | cooling fan # | The engine may overheat in slow traffic
P0597..P0599 | E L H | cooling | service | thermostat heater
P023A..P023C | E L H | cooling | soon | charge-air coolant pump

# lubrication
P0524 | - | lubrication | stop | engine oil pressure too low | Bearings fail within minutes: switch the engine off and check the oil level
P0520..P0523 | e p l h | lubrication | soon | oil pressure sensor | Check the oil level before driving on: lost pressure would not be noticed
P0195..P0199 | e p l h i | lubrication | service | oil temperature sensor
P0298 | - | lubrication | stop | engine oil overheated | Hot oil no longer carries the bearings: let the engine cool
P250A..P250C P250E | e p l i | lubrication | service | oil level sensor
P250D | h | lubrication | service | oil level sensor
P250F | - | lubrication | workshop | engine oil level too low | Top up before driving on
P252F | - | lubrication | soon | engine oil level too high | Fuel or coolant may be in the oil: have it checked before a long trip
P252E | i | lubrication | note | oil quality sensor
P253F | - | lubrication | service | engine oil worn out | Change the oil
P051A..P051E | e p l h i | engine | service | crankcase pressure sensor
P051F | - | engine | service | crankcase ventilation filter blocked
P052E | fault | engine | service | crankcase ventilation valve
P053A..P053C | E L H | engine | note | crankcase ventilation heater

# speed, idle, start
P0219 | - | engine | workshop | engine overspeed | Have valves and timing checked
P0297 | - | engine | note | vehicle was driven too fast
P0505 | fault | engine | service | idle control
P0506..P0507 | =slow fast | engine | service | idle too #
P0508..P0509 P0511 P0518 | L H E I | engine | service | idle air valve
P050A | fault | engine | service | idle control at cold start
P050B | fault | engine | service | ignition timing at cold start
P050D | - | engine | service | rough idle at cold start
P0519 | - | engine | service | idle control without effect
P0512 | E | engine | soon | start request | The engine may not start
P0615..P0617 | E L H | engine | soon | starter relay | The engine may not start
P06AF | - | engine | workshop | engine was switched off by its control | It may happen again while driving
`
