"""Boards as Debian's gnubg 1.07.001 sent them to an external player; who asked what is beside."""

# Player 1 in the Crawford game of a match to 3, which player 0 leads 2-0 (scores are reversed).
TURN_OF_1 = (
    "board:gnubg:root:3:2:0:0:-2:0:0:0:0:5:0:3:0:4:0:-1:0:0:0:0:-3:0:-2:1:-2:-2:-1:-2:2"
    ":1:6:3:6:3:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0"
)

# Player 0 in a match to 5 in which it trails 1-3, seen by player 1 all the same.
TURN_OF_0 = (
    "board:zero:one:5:1:3:-1:0:-1:0:2:3:4:0:2:0:0:0:0:1:0:0:0:-2:-1:-4:-3:-3:0:0:0:1"
    ":-1:0:0:0:0:1:1:1:0:1:-1:0:25:2:0:0:0:0:0:0:1"
)

# Player 0 has doubled at 1-0 in a match to 7, player 1 answers (names and scores in order).
DOUBLE_OF_0 = (
    "board:root:gnubg:7:0:1:0:0:0:0:0:0:5:1:3:3:0:3:-2:0:0:0:0:-4:-2:-4:-1:0:0:-1:-1:0"
    ":-1:0:0:0:0:1:1:1:1:1:-1:0:25:0:0:0:0:0:0:0:1"
)

# Player 1 has doubled, player 0 answers.
DOUBLE_OF_1 = (
    "board:root:gnubg:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    ":1:0:0:0:0:1:1:1:1:1:-1:0:25:0:0:0:0:0:0:0:1"
)

# Money: player 0 has doubled to 2, player 1 has beavered to 4, and player 0 answers that.
BEAVER_OF_1 = (
    "board:gnubg:root:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    ":-1:0:0:0:0:2:1:0:1:1:-1:0:25:0:0:0:0:0:0:0:1"
)

# Not gnubg's: in the form of the First Internet Backgammon Server, by its help; You move upward.
FIBS_LINE = (
    "board:You:someplayer:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    ":-1:6:2:0:0:1:1:1:0:-1:1:25:0:0:0:0:0:2:0:0:0"
)
