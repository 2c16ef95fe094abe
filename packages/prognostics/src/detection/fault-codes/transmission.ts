// Transmission: control, clutches, gears, sensors, transfer case. Columns and fault letters: code-table.ts. Numbers: SAE J2012 as listed
// in fabiovila/OBDIICodes (24.h), gaps of its series filled from general knowledge of J2012.
export const transmissionCodes = `
P0218 | - | transmission | workshop | transmission fluid too hot | Hot fluid ruins the clutches: less load lets it cool
P0700 | - | transmission | soon | the transmission control reports a fault of its own | Read the codes of the transmission control
P0701..P0702 | fault | transmission | soon | transmission control
P0703 P0719 P0724 | e l h | transmission | service | brake switch B of the transmission
P0704 | e | transmission | service | clutch switch
P0705..P0709 | e p l h i | transmission | soon | range sensor A | The engine may not start in park
P2800..P2804 | e p l h i | transmission | soon | range sensor B
P070A..P070E | e p l h i | transmission | service | transmission fluid level sensor
P070F | - | transmission | workshop | transmission fluid level too low | Top up before driving on: clutches slip and burn
P075F | - | transmission | soon | transmission fluid level too high
P0710..P0714 | e p l h i | transmission | soon | transmission temperature sensor A | Hot fluid would not be noticed
P2740..P2744 | e p l h i | transmission | soon | transmission temperature sensor B
P0715..P0718 | e p n i | transmission | soon | input speed sensor A | It may shift hard or stay in one gear
P2765..P2768 | e p n i | transmission | soon | input speed sensor B
P0720..P0723 | e p n i | transmission | soon | output speed sensor | It may shift hard or stay in one gear
P077A..P077B | fault | transmission | soon | direction signal of the output speed sensor
P0791..P0794 | e p n i | transmission | soon | shaft speed sensor A
P2745..P2748 | e p n i | transmission | soon | shaft speed sensor B
P2749..P2752 | e p n i | transmission | soon | shaft speed sensor C
P0725..P0728 | e p n i | transmission | soon | engine speed signal of the transmission
P071A..P071C P071D..P071F | =A B * e l h | transmission | note | mode switch #
P0729 P076F | =6 7 | transmission | soon | wrong ratio in gear # | A clutch slips: keep load low
P0730 | - | transmission | soon | wrong gear ratio | A clutch slips: keep load low
P0731..P0735 | =1..5 | transmission | soon | wrong ratio in gear # | A clutch slips: keep load low
P0736 | - | transmission | soon | wrong ratio in reverse
P072A..P072F | =neutral reverse gear_1 gear_2 gear_3 gear_4 | transmission | workshop | transmission stuck in #
P073A..P073C | =5 6 7 | transmission | workshop | transmission stuck in gear #
P073D..P073F | =neutral reverse gear_1 | transmission | workshop | transmission cannot engage #
P074A..P074F | =2..7 | transmission | workshop | transmission cannot engage gear #
P0737..P0739 | E L H | transmission | note | engine speed output of the transmission
P0740 P0743 P0744 | E E I | transmission | soon | converter clutch
P0741 P0742 | F S | transmission | soon | converter clutch | The transmission runs hot
P2763 P2764 P2769 P2770 | H L L H | transmission | soon | converter clutch
P0745 P0748 P0749 P0775 P0778 P0779 P0795 P0798 P0799 | =A B C * E E I | transmission | soon | pressure solenoid #
P0746 P0747 P0776 P0777 P0796 P0797 | =A B C * F S | transmission | workshop | pressure solenoid # | Clutches can slip and burn
P2714 P2715 P2723 P2724 P2732 P2733 | =D E F * F S | transmission | workshop | pressure solenoid # | Clutches can slip and burn
P2716 P2717 P2725 P2726 P2734 P2735 | =D E F * E I | transmission | soon | pressure solenoid #
P2718..P2721 P2727..P2730 P2736..P2739 | =D E F * E P L H | transmission | soon | pressure solenoid #
P2812..P2815 P281B..P281E P2824..P2827 P282D..P2830 | =G H J K * E P L H | transmission | soon | pressure solenoid #
P2808 P2809 P2817 P2818 P2820 P2821 P2829 P282A | =G H J K * F S | transmission | workshop | pressure solenoid # | Clutches can slip and burn
P0750 P0753 P0754 P0755 P0758 P0759 P0760 P0763 P0764 | =A B C * E E I | transmission | soon | shift solenoid #
P0765 P0768 P0769 P0770 P0773 P0774 P2706 P2709 P2710 | =D E F * E E I | transmission | soon | shift solenoid #
P075A P075D P075E P076A P076D P076E | =G H * E E I | transmission | soon | shift solenoid #
P0751 P0752 P0756 P0757 P0761 P0762 P0766 P0767 P0771 P0772 P2707 P2708 | =A B C D E F * F S | transmission | soon | shift solenoid # | It may stay in one gear
P075B P075C P076B P076C | =G H * F S | transmission | soon | shift solenoid # | It may stay in one gear
P0960..P0963 P0964..P0967 P0968..P0971 | =A B C * E P L H | transmission | soon | pressure solenoid #
P0973..P0974 P0976..P0977 P0979..P0980 P0982..P0983 P0985..P0986 | =A B C D E * L H | transmission | soon | shift solenoid #
P0780..P0784 | =any_gear 1-2 2-3 3-4 4-5 | transmission | soon | shift fault: #
P0829 | - | transmission | soon | shift fault: 5-6
P0785..P0789 P078A..P078E | =A B * E P L H I | transmission | soon | shift timing solenoid #
P0790 | e | transmission | note | mode switch
P079A..P079F P07A0..P07A1 | =A B C D E F G H | transmission | workshop | clutch or brake # slips | Keep load low: it burns
P07A2..P07B1 | =A B C D E F G H * F S | transmission | workshop | clutch or brake #
P2700..P2705 | =A B C D E F | transmission | soon | clutch or brake # takes too long to apply
P07B2..P07B7 P07B8..P07BD | =A B * e l h p p i | transmission | soon | park position sensor # | Set the parking brake before leaving
P07BE | X | transmission | soon | park position sensors | Set the parking brake before leaving
P0800 | - | transmission | soon | the transfer case control reports a fault of its own
P0802 | E | transmission | note | lamp request of the transmission
P0801 P0812 P0813 | E e e | transmission | service | reverse gear
P0803 P0804 | E E | transmission | note | skip shift
P0805..P0809 | e p l h i | transmission | soon | clutch position sensor
P080A | - | transmission | soon | clutch position not learned
P0810 | - | transmission | workshop | clutch does not reach its position
P0811 P081E | =A B | transmission | workshop | clutch # slips too much | Keep load low: it burns
P0814..P0816 | e e e | transmission | note | range display or shift switch
P0817 | E | transmission | soon | start lock of the transmission | The engine may not start
P0819 | X | transmission | note | shift switch and range
P0830..P0832 P0833..P0835 | =A B * e l h | transmission | service | clutch pedal switch #
P083F | X | transmission | service | clutch pedal switches
P0836..P0839 | e p l h | transmission | note | four-wheel drive switch
P0840..P0844 P0845..P0849 P0870..P0874 P0875..P0879 | =A B C D * e p l h i | transmission | soon | transmission pressure sensor #
P083A..P083E P084A..P084E | =G H * e p l h i | transmission | soon | transmission pressure sensor #
P0989..P0990 P0994..P0995 | =E F * l h | transmission | soon | transmission pressure sensor #
P0850..P0852 | e l h | transmission | service | park or neutral switch
P0863..P0866 | e p l h | transmission | soon | connection of the transmission control unit
P0868 | - | transmission | workshop | transmission pressure too low | Clutches slip and burn
P0869 | - | transmission | soon | transmission pressure too high
P0880..P0884 | e p l h i | transmission | soon | supply of the transmission control unit
P0885..P0887 | E L H | transmission | soon | power relay of the transmission control unit
P0888..P0892 | e p l h i | transmission | soon | power relay feedback of the transmission control unit
P0893 | - | transmission | workshop | several gears engaged at once
P0894 | - | transmission | workshop | transmission slips | Keep load low: it burns
P0895 P0896 | =short long | transmission | soon | shift time too #
P0897 | - | transmission | service | transmission fluid worn out | Change the fluid
P0900..P0903 | E P L H | transmission | soon | clutch actuator
P0904..P0907 | e p l h | transmission | soon | gate position sensor
P0914..P0918 | e p l h i | transmission | soon | gear position sensor
P0919 | - | transmission | workshop | gear position not reached
P0928..P0931 | E P L H | transmission | service | shift lock
P0944 | - | transmission | workshop | hydraulic unit of the transmission has lost pressure
P0945..P0948 | E P L H | transmission | soon | hydraulic pump of the transmission
P0500..P0503 | e p l i | transmission | soon | vehicle speed sensor A | The speedometer may fail
P2158..P2161 | e p l i | transmission | soon | vehicle speed sensor B
P215B | X | transmission | soon | vehicle and output shaft speed
P0613 | fault | transmission | soon | processor of the transmission control unit
`
