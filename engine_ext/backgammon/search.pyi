# Look-ahead is for compiled code; Python has searcher.Searcher.

from engine_ext.backgammon.move_filters import FILTERS as FILTERS
