"""`manyply completion`: prints the script with which a shell completes our commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from analyser.command import main as analyser_main
from master.cli.output import echo_exactly
from master.command import main as master_main

SHELLS = ("bash", "zsh", "fish")


@click.command(
    "completion",
    epilog="""\b
Put this into ~/.bashrc or ~/.zshrc:
  eval "$(manyply completion bash)"
or for fish:
  manyply completion fish > ~/.config/fish/completions/manyply.fish
""",
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion_command(ctx: click.Context, shell: str) -> None:
    """Print a shell completion script, for commands and options.

    It serves manyply, manyply-master and manyply-analyser.
    """
    completion_class = get_completion_class(shell)
    assert completion_class is not None, "click knows these shells"
    programs = {
        "manyply": ctx.find_root().command,
        "manyply-master": master_main,
        "manyply-analyser": analyser_main,
    }
    for name, command in programs.items():
        variable = f"_{name}_COMPLETE".replace("-", "_").upper()
        echo_exactly(completion_class(command, {}, name, variable).source())
