"""The program as `pip install .` leaves it: a wheel of this tree in an environment of its own."""

import shutil
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

from tests.daemons.analyser_programs import ENVIRON, ROOT

PACKAGES = ("analyser", "engine_ext", "master", "protocol")
SETUP = "from setuptools import setup; setup()"
BUILT = "*" + str(sysconfig.get_config_var("EXT_SUFFIX"))
DEPENDENCIES = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
NOT_COMMITTED = shutil.ignore_patterns(BUILT, "__pycache__", "*.c.tmp", ".*")


@dataclass(frozen=True)
class Installed:
    """An environment, and a checkout from which nothing was compiled."""

    environment: Path
    checkout: Path
    home: Path

    @property
    def packages(self) -> Path:
        """Where the packages lie."""
        return next((self.environment / "lib").glob("python*/site-packages"))

    def program(self, name: str) -> str:
        """Return the path of a script."""
        return str(self.environment / "bin" / name)

    @property
    def environ(self) -> dict[str, str]:
        """A user's environment, without the environment's folder in PATH."""
        own = {name: str(self.home) for name in ("HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")}
        kept = {k: v for k, v in ENVIRON.items() if k not in ("PYTHONPATH", "XDG_CONFIG_HOME")}
        return kept | own | {"XDG_CACHE_HOME": str(ROOT / "build" / "cache")}

    def run(
        self, *argv: str, cwd: Path | None = None, stdin_text: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a script of the environment, in the checkout unless told otherwise."""
        return subprocess.run(
            [self.program(argv[0]), *argv[1:]], cwd=cwd or self.checkout, env=self.environ,
            input=stdin_text, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip


def build_wheel(directory: Path) -> Path:
    """Build a wheel of the tree's code with the extensions that are compiled in place already."""
    source, built = directory / "source", directory / "built"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in (*PACKAGES, "training", "deploy/man"):
        shutil.copytree(ROOT / name, source / name, ignore=NOT_COMMITTED)
    _setup(source, "build_py", "--build-lib", str(built))
    for package in PACKAGES:
        for extension in (ROOT / package).rglob(BUILT):
            shutil.copy(extension, built / extension.relative_to(ROOT))
    config = f"[build]\nbuild_lib = {built}\n"
    (source / "setup.cfg").write_text(config)
    _setup(source, "bdist_wheel", "--skip-build", "--dist-dir", str(directory))
    return next(directory.glob("*.whl"))


def _setup(source: Path, *args: str) -> None:
    subprocess.run(
        [sys.executable, "-c", SETUP, "-q", *args], cwd=source, check=True, capture_output=True
    )


def install(directory: Path) -> Installed:
    """Build, and install into an environment that borrows the dependencies of this one."""
    wheel = build_wheel(directory)
    environment, checkout, home = (directory / name for name in ("venv", "checkout", "home"))
    home.mkdir()
    venv.create(environment, symlinks=True)
    installed = Installed(environment, checkout, home)
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", installed.program("python"), "install", "-q",
         "--no-deps", "--no-index", str(wheel)],
        check=True, capture_output=True,
    )  # fmt: skip
    (installed.packages / "borrowed.pth").write_text("\n".join(sorted(DEPENDENCIES)))
    checkout.mkdir()
    for name in (*PACKAGES, "deploy"):
        shutil.copytree(ROOT / name, checkout / name, ignore=NOT_COMMITTED)
    return installed
