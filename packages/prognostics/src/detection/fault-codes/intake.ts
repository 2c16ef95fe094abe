// Intake: air measurement, throttle, manifold, boost. Columns and fault letters: code-table.ts. Numbers: SAE J2012 as listed in
// fabiovila/OBDIICodes (24.h), gaps of its series filled from general knowledge of J2012.
export const intakeCodes = `
# boost
P0234 | - | intake | workshop | boost pressure too high | The engine can be damaged: keep load low
P0299 | - | intake | workshop | boost pressure too low | A loose hose or a failing turbocharger: keep load low and look for oil loss
P02CA | - | intake | workshop | boost pressure of charger B too high | The engine can be damaged: keep load low
P02CB | - | intake | workshop | boost pressure of charger B too low
P2262 | - | intake | workshop | no boost pressure: hose, charger or its drive | A failing turbocharger can lose oil into the intake: keep load low
P2263 | - | intake | workshop | boost system does not do what it should | Keep load low
P0049 | - | intake | workshop | turbocharger overspeed | The turbocharger can break
P0235..P0238 | e p l h | intake | soon | boost pressure sensor A | Power may be limited
P0239..P0242 | e p l h | intake | soon | boost pressure sensor B | Power may be limited
P023D P023E | =A B * X | intake | soon | manifold pressure and boost sensor #
P0243..P0246 | E P L H | intake | soon | wastegate A
P0247..P0250 | E P L H | intake | soon | wastegate B
P0045..P0048 P004E | E P L H I | intake | soon | boost control A
P004A..P004D P004F | E P L H I | intake | soon | boost control B
P005E..P005F P006E..P006F | =B A * L H | intake | soon | supply of boost control #
P003A P003B | =A B | intake | soon | boost control # at its learning limit
P00AF P00B0 | =A B * fault | intake | soon | control unit of boost control #
P2562..P2566 | e p l h i | intake | soon | position sensor of boost control A
P2586..P2590 | e p l h i | intake | soon | position sensor of boost control B
P0033..P0035 | E L H | intake | soon | charger bypass valve
P0039 | P | intake | soon | charger bypass valve
P012A..P012E | e p l h i | intake | service | charger inlet pressure sensor
P022A..P022C P022D..P022F | =A B * E L H | intake | service | charge-air cooler bypass #
P024A..P024B | F S | intake | service | charge-air cooler bypass A
P024C..P024F | e p l h | intake | service | position sensor of charge-air cooler bypass A
P007A..P007E P00A0..P00A4 | =1 2 * e p l h i | intake | service | charge-air temperature sensor, bank #
P007F | X | intake | service | charge-air temperatures of both banks

# air measurement
P0100..P0104 | e p l h i | intake | soon | air mass meter A | Power may be limited
P010A..P010E | e p l h i | intake | soon | air mass meter B
P010F | X | intake | soon | air mass meters A and B
P00BC P00BE | =A B | intake | soon | air mass meter # reads too little
P00BD P00BF | =A B | intake | soon | air mass meter # reads too much
P0105..P0109 | e p l h i | intake | soon | manifold pressure sensor | Power may be limited
P0068 | X | intake | soon | manifold pressure or air mass and throttle position
P0069 | X | intake | service | manifold and ambient pressure
P006A P00B8 | =1 2 * X | intake | soon | manifold pressure and air mass, bank #
P006B | X | intake | service | manifold and exhaust pressure
P006C P006D | =manifold ambient * X | intake | service | # and charger inlet pressure
P0110..P0114 | e p l h i | intake | service | intake air temperature sensor 1
P0095..P0099 | e p l h i | intake | service | intake air temperature sensor 2
P00A5..P00A9 | e p l h i | intake | service | intake air temperature sensor 2, bank 2
P00AA..P00AE | e p l h i | intake | service | intake air temperature sensor 1, bank 2
P009A | X | intake | service | intake air and ambient temperature
P011C P011D | =1 2 * X | intake | service | charge-air and intake air temperature, bank #
P2199 | X | intake | service | intake air temperature sensors 1 and 2
P0127 | - | intake | soon | intake air too hot | Power may be limited
P0129 | - | intake | note | ambient pressure too low
P2226..P2230 | e p l h i | intake | service | ambient pressure sensor A
P222A..P222E | e p l h i | intake | service | ambient pressure sensor B
P222F | X | intake | service | ambient pressure sensors A and B
P0070..P0074 | e p l h i | intake | note | ambient temperature sensor
P2279 | - | intake | soon | air leak in the intake
P2280 | - | intake | service | air filter blocked, or a leak behind it | Change the air filter
P2282 | - | intake | soon | air leak between throttle and valves

# throttle and pedal
P0120..P0124 P0220..P0224 P0225..P0229 | =A B C * e p l h i | intake | soon | throttle or pedal position sensor # | Power may be limited
P2120..P2124 P2125..P2129 P2130..P2134 | =D E F * e p l h i | intake | soon | throttle or pedal position sensor # | Power may be limited
P2135..P2137 | =A_and_B A_and_C B_and_C * X | intake | soon | throttle or pedal position sensors # | Power may be limited
P2138..P2140 | =D_and_E D_and_F E_and_F * X | intake | soon | throttle or pedal position sensors # | Power may be limited
P2100..P2103 | E P L H | intake | soon | throttle motor | Power may be limited
P2104 | - | intake | workshop | throttle control allows idle only | The vehicle hardly moves
P2105 | - | intake | workshop | throttle control has stopped the engine | It may happen again while driving
P2106 | - | intake | workshop | throttle control limits power
P2107..P2108 | fault | intake | soon | throttle control unit
P2110 | - | intake | workshop | throttle control limits engine speed
P2111 | - | intake | workshop | throttle stuck open | The engine may not slow down: be ready to shift to neutral and brake
P2112 | - | intake | workshop | throttle stuck closed
P2118 | P | intake | soon | throttle motor current
P2119 | - | intake | soon | throttle body does not move as it should
P2172..P2173 | - | intake | soon | more air through the throttle than there should be
P2174..P2175 | - | intake | soon | less air through the throttle than there should be
P0638..P0639 | =1 2 * fault | intake | soon | throttle control, bank #
P0510 | e | intake | service | closed-throttle switch
P02E0 P02E2 P02E3 | E L H | intake | soon | intake throttle of the diesel engine
P02E1 P02E4 P02E5 | F O C | intake | soon | intake throttle of the diesel engine
P02E6..P02EA | e p l h i | intake | service | position sensor of the diesel engine's intake throttle

# manifold
P2004 P2005 | =1 2 * O | intake | soon | manifold flap, bank #
P2006 P2007 | =1 2 * C | intake | soon | manifold flap, bank #
P2008..P2010 P2011..P2013 | =1 2 * E L H | intake | soon | manifold flap, bank #
P200A P200B | =1 2 | intake | soon | manifold flap does not move as it should, bank #
P2014..P2018 P2019..P2023 | =1 2 * e p l h i | intake | service | position sensor of the manifold flap, bank #
P2070 P206E | =1 2 * O | intake | service | manifold tuning valve, bank #
P2071 P206F | =1 2 * C | intake | service | manifold tuning valve, bank #
P0660..P0662 P0663..P0665 | =1 2 * E L H | intake | service | manifold tuning valve, bank #
P0540..P0543 | E L H E | intake | service | intake air heater A | Starting in the cold gets hard
P2604..P2608 | P E P L H | intake | service | intake air heater
P2609 | - | intake | service | intake air heater without effect
P0640 | E | intake | service | intake air heater
`
