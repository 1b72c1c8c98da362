from engine_ext.backgammon.move_filters import MOVE_FILTERS as MOVE_FILTERS

MET_NAME: str
