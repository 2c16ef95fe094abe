// SAE J1939 suspect parameters (SPN): number, component, danger, classes, class of a circuit fault, title, effect. Numbers and names from
// the enumerations of DanielMartensson/Open-SAE-J1939 (MIT, Enum_DM1_DM2.h); titles, classes and effects are our own.
//
// Danger: `above` or `below` is the side of normal that harms, `both` either, `state` a status that exists or does not. Classes: of the
// most severe, the moderately severe and the least severe failure modes on that side; on the other side they are milder, but never as mild
// as a circuit fault. The effect of `above` and `below` is shown for that side only.
export const suspectParameters = `
# lubrication
100 | lubrication | below | stop workshop soon | soon | engine oil pressure | Bearings fail within minutes without it: check the oil level before driving on
98 | lubrication | below | stop soon service | service | engine oil level | Top up before driving on
99 | lubrication | above | soon service service | service | oil filter pressure drop
175 1135 | lubrication | above | stop soon service | service | engine oil temperature
1208 | lubrication | below | stop workshop soon | soon | oil pressure before the filter
104 1168 | lubrication | below | workshop soon service | service | oil pressure of the turbocharger | The turbocharger fails without oil
176 | lubrication | above | workshop soon service | service | oil temperature of the turbocharger
1380 | lubrication | below | soon service service | service | oil level of the remote tank
5099 | lubrication | state | stop workshop soon | soon | lamp for low oil pressure

# cooling
110 1637 | cooling | above | stop soon service | service | coolant temperature | Heat ruins the cylinder head: let the engine cool
111 | cooling | below | stop soon service | service | coolant level | Top up with the engine cold and look for the leak
109 | cooling | below | stop soon service | service | coolant pressure
2981 | cooling | below | workshop soon service | service | coolant pressure, circuit 2
2982 | cooling | above | workshop soon service | service | coolant temperature, circuit 2
52 | cooling | above | soon soon service | service | charge-air cooler temperature
647 1071 977 | cooling | state | workshop soon service | soon | fan drive | The engine may overheat in slow traffic
975 1639 | cooling | both | workshop soon service | service | fan speed
1659 | cooling | state | workshop soon service | service | thermostat

# fuel
94 | fuel | both | workshop soon service | soon | fuel supply pressure | The engine may lose power or stop
157 156 | fuel | both | workshop soon service | soon | fuel rail pressure | The engine may lose power or stop
129 164 | fuel | both | workshop soon service | soon | injection pressure | The engine may lose power or stop
95 16 | fuel | above | workshop soon service | service | fuel filter blocked | The engine may lose power or stop
96 38 | fuel | below | service service note | note | fuel level | =Refuel
97 | fuel | above | workshop soon service | service | water in the fuel | Drain the separator; water ruins pump and injectors
174 | fuel | above | soon soon service | service | fuel temperature
651..674 | fuel | both | workshop soon service | soon | injector of cylinder # | The cylinder may not work
632 | fuel | state | workshop soon service | soon | fuel shut-off valve | The engine may not start or not stop
633 931 1075 1076 1077 1347 | fuel | state | workshop soon service | soon | fuel pump or its metering | The engine may lose power or stop
1078 | fuel | both | workshop soon service | soon | speed or position of the injection pump
1239 1240 | fuel | state | stop stop workshop | service | fuel leak | Fuel may catch fire: switch off, and keep people away from it
5357 | fuel | both | workshop soon service | soon | injected quantity of several cylinders
5571 | fuel | state | workshop soon service | soon | pressure relief valve of the rail

# engine
190 | engine | above | workshop soon service | soon | engine speed | Have valves and timing checked after an overspeed
636 637 723 4201 4202 | engine | both | workshop soon service | soon | engine position or speed sensor | The engine may stop or not start
101 153 22 | engine | above | workshop soon service | service | crankcase pressure | High blow-by: pistons or rings may be failing
1322 | engine | both | workshop soon service | soon | misfire in several cylinders
1323..1346 | engine | both | workshop soon service | soon | misfire in cylinder #
1268..1291 | engine | state | workshop soon service | soon | ignition coil #
731 | engine | above | workshop soon service | service | knock
91 29 28 | engine | both | workshop soon service | soon | accelerator pedal | Power may be limited
558 | engine | state | soon soon service | service | idle switch of the pedal
1109 1110 | engine | state | stop workshop soon | soon | engine protection shuts the engine down
640 | engine | state | workshop soon service | soon | external engine protection
5272 | engine | state | workshop soon service | soon | engine stopped unexpectedly
676 729 730 | engine | state | soon service service | service | starting aid
677 | engine | state | soon soon service | service | starter relay | The engine may not start
628 629 630 | engine | state | workshop soon service | soon | engine control unit | The engine may stop or run with less power
1136 | engine | above | workshop soon service | service | engine control unit temperature
620 1079 1080 3509..3514 | engine | both | soon soon service | service | sensor supply | Several sensors fail at once

# intake
102 1127 3563 | intake | both | workshop soon service | soon | boost pressure | Keep load low
105 1636 | intake | above | workshop soon service | service | intake manifold temperature | Power may be limited
106 | intake | both | soon soon service | service | intake air pressure
107 | intake | above | soon soon service | service | air filter blocked | Change the air filter
108 | intake | both | soon service service | service | ambient pressure
132 | intake | both | soon soon service | service | intake air mass
171 172 | intake | both | soon service service | note | air temperature
51 3464 | intake | both | workshop soon service | soon | throttle
103 | intake | above | workshop soon service | soon | turbocharger speed | The turbocharger can break
641 2795 2633 | intake | state | workshop soon service | soon | vanes of the turbocharger | Keep load low
646 1188 | intake | state | workshop soon service | soon | wastegate of the turbocharger
1172 | intake | both | soon soon service | service | compressor inlet temperature
1180 1184 | intake | above | workshop soon service | soon | turbine temperature
2629 2630 | intake | above | workshop soon service | service | charge-air temperature
2631 3340 | intake | both | soon soon service | service | charge-air pressure

# after-treatment
3719 | aftertreatment | above | stop workshop soon | soon | soot in the particulate filter | Let it regenerate at standstill, or have it done; a full filter can burn out
4781 | aftertreatment | above | workshop soon service | service | soot mass in the particulate filter | Let it regenerate
3720 3723 | aftertreatment | above | workshop soon service | service | ash in the particulate filter | Ash does not burn off: the filter has to be cleaned or replaced
3251 3285 | aftertreatment | both | workshop soon soon | soon | pressure across the particulate filter | The filter or its regeneration may be blocked
3936 | aftertreatment | state | workshop soon service | soon | particulate filter
3242 3246 3250 3241 3245 3249 | aftertreatment | both | workshop soon service | service | exhaust temperature at the particulate filter
3609 | aftertreatment | both | workshop soon service | soon | pressure before the particulate filter
4765 4766 | aftertreatment | both | workshop soon service | service | exhaust temperature at the oxidation catalyst
4767 | aftertreatment | above | soon soon service | service | pressure across the oxidation catalyst
173 4151 | aftertreatment | above | workshop soon service | service | exhaust temperature
81 | aftertreatment | above | workshop soon service | service | pressure at the particulate filter inlet
1761 4367 | aftertreatment | below | workshop soon service | soon | reductant level | =Refill now: once the tank is empty power and then speed are taken away
3364 3516 3520 3521 | aftertreatment | both | workshop soon service | soon | reductant quality | Refill with the right fluid: a countdown to less power begins
3031 3515 | aftertreatment | both | soon soon service | service | reductant temperature
3360 3361 3362 | aftertreatment | state | workshop soon service | soon | reductant dosing | A countdown to less power may begin
3363 4354..4357 | aftertreatment | state | soon soon service | service | reductant heater | Reductant freezes at -11 °C
4334 | aftertreatment | both | workshop soon service | soon | reductant pressure | A countdown to less power may begin
4374 4375 4376 | aftertreatment | state | workshop soon service | soon | reductant pump | A countdown to less power may begin
5392 5394 5435 | aftertreatment | state | workshop soon service | soon | reductant dosing | A countdown to less power may begin
5839 5840 5841 | aftertreatment | state | workshop soon service | soon | reductant use, dosing or quality | A countdown to less power begins
4360 4363 | aftertreatment | both | soon soon service | service | exhaust temperature at the SCR catalyst
4364 4792 | aftertreatment | below | workshop workshop soon | soon | SCR conversion of NOx | A countdown to less power begins
3216 3224 3226 3234 | aftertreatment | both | workshop soon service | soon | NOx sensor | A countdown to less power may begin
3222 3223 3232 3233 | aftertreatment | state | soon soon service | service | heater of the NOx sensor
3217 3227 | aftertreatment | both | soon soon service | service | oxygen sensor in the exhaust
5246 5826 | aftertreatment | above | stop workshop soon | soon | driver inducement | At the last step speed is limited to a crawl: leave the road and have the vehicle recovered
1569 | aftertreatment | state | workshop soon service | soon | torque limited by engine protection | Another code says why; most often it is the after-treatment
27 2791 3821 3822 | aftertreatment | state | workshop soon service | soon | exhaust gas recirculation valve
2659 411 3358 | aftertreatment | both | soon soon service | service | flow of exhaust gas recirculation
412 | aftertreatment | above | workshop soon service | service | temperature of exhaust gas recirculation
131 1209 | aftertreatment | above | workshop soon service | service | exhaust back pressure
649 | aftertreatment | state | soon soon service | service | exhaust back pressure regulator
3471 3480 3479 3556 | aftertreatment | state | workshop soon service | soon | fuel doser of the exhaust | Fuel in the exhaust can burn
3695 3702 3703 3711..3716 | aftertreatment | state | soon service note | note | regeneration of the particulate filter is inhibited

# transmission
84 | transmission | both | soon soon service | service | vehicle speed
127 | transmission | below | workshop soon service | soon | transmission oil pressure | Clutches slip and burn
123 | transmission | below | workshop soon service | soon | clutch pressure
124 | transmission | below | workshop soon service | service | transmission oil level | Top up before driving on
126 3359 | transmission | above | soon service service | service | transmission filter blocked
177 3823 | transmission | above | workshop soon service | service | transmission oil temperature | Hot oil ruins the clutches: less load lets it cool
161 191 160 750 | transmission | both | workshop soon service | soon | shaft speed of the transmission
523 524 525 163 31 | transmission | both | soon soon service | service | gear or range of the transmission
522 | transmission | above | workshop soon service | soon | clutch slip | Keep load low: it burns
2983 | transmission | below | soon soon service | service | clutch lining
598 | transmission | state | soon service service | service | clutch switch
734..740 2905 2906 | transmission | state | workshop soon service | soon | solenoid of the transmission
751 752 | transmission | state | soon soon service | service | gear selector
768 769 770 771 772 773 | transmission | state | workshop soon service | soon | shift actuator
787 788 | transmission | state | workshop soon service | soon | clutch actuator
69 | transmission | state | soon service service | service | axle gear switch
578 77 78 | transmission | above | workshop soon service | service | axle temperature

# brakes
116 | brakes | both | workshop soon service | soon | brake application pressure
117 118 1087 1088 | brakes | below | stop workshop soon | soon | brake air pressure | Without air the brakes fail or the spring brakes lock: do not move
46 2649 | brakes | below | stop workshop soon | soon | air supply pressure | Do not move until the pressure is there
1086 | brakes | below | workshop soon service | soon | air pressure of parking or trailer brake
1089 1090 37 | brakes | below | workshop soon service | service | auxiliary air pressure
521 2621 | brakes | both | workshop soon service | soon | brake pedal or pressure limiter
563 1243 | brakes | state | workshop soon service | soon | anti-lock braking | Wheels may lock: leave distance
1438 | brakes | state | workshop soon service | soon | amber lamp of the brakes
1439 | brakes | state | stop workshop soon | soon | red lamp of the brakes | Brake force may be missing
597 1045 1046 1121 | brakes | state | soon soon service | service | brake switch | Brake lamps may not light
70 | brakes | state | soon service service | service | parking brake switch
789..794 | brakes | both | workshop soon service | soon | wheel speed sensor | Anti-lock braking may be off
795..800 932..943 | brakes | state | workshop soon service | soon | brake pressure valve | Brake force may be unequal: leave distance
802 803 806 807 | brakes | state | workshop soon service | soon | relay or valve of the brakes
819..828 | brakes | state | workshop soon service | soon | brake out of adjustment
1047..1058 | brakes | both | workshop soon service | soon | electronic brake pressure control
1060..1065 | brakes | both | workshop soon service | service | brake lining wear sensor
1099..1106 | brakes | below | stop soon service | service | brake lining | Worn through, metal runs on metal and braking distance grows
3785..3804 | brakes | above | workshop soon service | service | brake stroke
3839 | brakes | above | workshop soon service | service | brake temperature | Brakes that drag get hot and can catch fire
2931 | brakes | below | stop workshop soon | soon | brake fluid level | Brakes may fail: check fluid before moving
1836 | brakes | state | workshop soon service | soon | anti-lock braking of the trailer

# steering, suspension, tyres
1807 | chassis | both | workshop soon service | soon | steering angle
1808 1809 1810 | chassis | both | workshop soon service | soon | yaw rate or acceleration
241 | chassis | below | workshop soon service | service | tyre pressure | Check the tyres before driving on
242 | chassis | above | workshop soon service | service | tyre temperature
75 | chassis | above | workshop soon service | service | steering axle temperature
1721..1724 | chassis | both | soon soon service | service | ride height
1725..1728 | chassis | both | soon soon service | service | air spring pressure

# electrical
168 158 444 | battery | both | workshop soon service | service | battery voltage | The vehicle may stop, or the battery be overcharged
114 | battery | both | soon soon service | service | battery current
1800 1801 | battery | above | workshop soon service | service | battery temperature
167 | charging | both | workshop soon service | service | charging voltage | The battery may run flat or be overcharged
115 1795 | charging | below | workshop soon service | service | alternator current | The battery may run flat
3353..3356 | charging | state | workshop soon service | service | alternator | The battery may run flat
1485 | engine | state | workshop soon service | soon | main relay of the engine control | The engine may stop or not start

# body and restraints
944..947 951 952 954 955 | body | state | workshop workshop soon | soon | airbag or belt tensioner | It may not protect in a crash
948 949 950 953 956 | body | state | workshop soon service | soon | sensor or lamp of the restraints | Airbags may not deploy
80 | body | below | service service note | note | washer fluid level | =Refill it
605 875 876 | body | state | soon service service | note | air conditioning
878..883 | body | state | soon service service | service | lamp circuit | Check the lamps before driving in the dark
170 | body | both | service service note | note | cab temperature

# network
639 | network | state | workshop soon soon | soon | J1939 network 1 | Several systems may fail at once
1231 1235 1668 1669 | network | state | workshop soon service | soon | J1939 network
608 625 | network | state | soon soon service | service | data link
1484 | engine | state | soon soon service | service | another control unit reports a fault of its own
`
