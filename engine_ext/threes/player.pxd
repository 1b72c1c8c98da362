# Whole games of Threes!, played by expectimax without the GIL.

from engine_ext.threes.expectimax cimport Adviser
