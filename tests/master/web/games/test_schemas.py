from jsonschema import Draft202012Validator

from master.web.games.kinds import watched_games
from master.web.games.schemas import GAME_PATH_FIELDS, GAME_SCHEMAS
from master.web.schemas import PATH_FIELDS, SCHEMAS


def test_shapes_of_games_are_documented() -> None:
    for name, schema in GAME_SCHEMAS.items():
        Draft202012Validator.check_schema(schema)
        assert SCHEMAS[name] is schema
    assert GAME_PATH_FIELDS.items() <= PATH_FIELDS.items()


def test_what_is_asked_for_may_be_every_game_at_every_level() -> None:
    begun = Draft202012Validator(GAME_SCHEMAS["GameBegun"])
    for name, game in watched_games().items():
        for level in game.levels:
            assert begun.is_valid({"game": name, "seed": game.seed_max, "level": level})
    assert not begun.is_valid({"game": "chequers", "seed": 1, "level": "1"})
