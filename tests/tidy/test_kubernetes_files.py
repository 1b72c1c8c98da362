"""`deploy/kubernetes` says what our placer says, where both say something."""

import copy
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from master.api.jobs import to_text
from master.contract.views import Figures
from master.fleets.kubernetes_objects import IMAGE, Fleet, fleet_objects
from master.fleets.placing import Invitation
from tests.tidy.source_files import ROOT

FOLDER = ROOT / "deploy" / "kubernetes"
FLEET = Fleet("a", "games", Invitation("master.example", 4322, "a", "s" * 16), 4)
OURS = {each["kind"]: each for each in fleet_objects(FLEET)}
INVITED_ONLY = ("--ticket", "a", "--give-up-after", "60")
KUBECTL = shutil.which("kubectl")

validate = pytest.importorskip("kubernetes_validate").validate


def theirs(name: str) -> dict[str, Any]:
    made: dict[str, Any] = yaml.safe_load((FOLDER / f"{name}.yaml").read_text())
    return made


def pod_of(deployment: dict[str, Any]) -> dict[str, Any]:
    pod: dict[str, Any] = copy.deepcopy(deployment["spec"]["template"]["spec"])
    return pod


def test_pods_are_the_same_but_for_names_the_image_and_who_is_dialled() -> None:
    ours, kustomized = pod_of(dict(OURS["Deployment"])), pod_of(theirs("deployment"))
    for pod in (ours, kustomized):
        pod["containers"][0].pop("image")
        pod["volumes"][0]["secret"].pop("secretName")
    own, other = ours["containers"][0], kustomized["containers"][0]
    arguments = [each for each in own.pop("args") if each not in INVITED_ONLY]
    arguments[1] = "$(MASTER)"
    assert other.pop("args") == arguments
    assert other["env"].pop(0)["name"] == "MASTER"
    assert kustomized == ours


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("deployment", "Deployment"),
        ("networkpolicy", "NetworkPolicy"),
        ("poddisruptionbudget", "PodDisruptionBudget"),
    ],
)
def test_files_are_of_the_same_kinds_and_versions_and_sound(name: str, kind: str) -> None:
    made = theirs(name)
    assert (made["apiVersion"], made["kind"]) == (OURS[kind]["apiVersion"], kind)
    validate(made, "1.31", strict=True)


def test_network_policy_and_budget_ask_for_the_same() -> None:
    for name, kind, selector in (
        ("networkpolicy", "NetworkPolicy", "podSelector"),
        ("poddisruptionbudget", "PodDisruptionBudget", "selector"),
    ):
        ours, kustomized = dict(OURS[kind]["spec"]), theirs(name)["spec"]
        labels = theirs("deployment")["spec"]["template"]["metadata"]["labels"]
        assert kustomized.pop(selector) == {"matchLabels": labels}
        assert kustomized == {key: value for key, value in ours.items() if key != selector}


def test_role_allows_what_the_placer_asks_for() -> None:
    validate(theirs("role"), "1.31", strict=True)
    allowed = {
        (resource, verb)
        for rule in theirs("role")["rules"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }
    made = ("secrets", "networkpolicies", "poddisruptionbudgets", "deployments")
    expected = {(resource, verb) for resource in made for verb in ("create", "delete")}
    assert allowed - expected == {("deployments", "get"), ("deployments/scale", "patch"),
                                  ("pods", "list")}  # fmt: skip
    assert expected <= allowed


def test_image_is_that_of_this_version() -> None:
    images = theirs("kustomization")["images"]
    assert [f"{each['newName']}:{each['newTag']}" for each in images] == [IMAGE]
    dockerfile = (FOLDER / "Containerfile").read_text()
    assert re.search(r"^USER 65532:65532$", dockerfile, re.MULTILINE)


@pytest.mark.parametrize("version", ["1.27", "1.31"])
def test_autoscaler_is_sound(version: str) -> None:
    validate(theirs("hpa/horizontalpodautoscaler"), version, strict=True)


def asked_numbers() -> dict[str, dict[str, str]]:
    """Return by what each autoscaler sizes the Deployment, and how much of it a pod is for."""
    keda = {
        each["metadata"]["valueLocation"]: each["metadata"]["targetValue"]
        for each in theirs("keda/scaledobject")["spec"]["triggers"]
    }
    hpa = {
        each["external"]["metric"]["name"]: each["external"]["target"]["averageValue"]
        for each in theirs("hpa/horizontalpodautoscaler")["spec"]["metrics"]
    }
    return {"keda": keda, "hpa": hpa}


def test_autoscalers_ask_for_the_same_numbers_and_the_master_tells_them() -> None:
    asked = asked_numbers()
    assert asked["keda"] == asked["hpa"]
    lines = to_text(Figures()).decode().splitlines()
    assert {f"{name} 0.0" for name in asked["keda"]} <= set(lines)


def test_autoscalers_size_the_deployment_within_the_same_bounds() -> None:
    keda, hpa = theirs("keda/scaledobject")["spec"], theirs("hpa/horizontalpodautoscaler")["spec"]
    assert keda["scaleTargetRef"]["name"] == hpa["scaleTargetRef"]["name"]
    assert hpa["scaleTargetRef"]["name"] == theirs("deployment")["metadata"]["name"]
    assert (keda["minReplicaCount"], keda["maxReplicaCount"]) == (0, hpa["maxReplicas"])
    assert keda["advanced"]["horizontalPodAutoscalerConfig"]["behavior"] == hpa["behavior"]
    assert {each["type"] for each in keda["triggers"]} == {"metrics-api"}


@pytest.mark.skipif(KUBECTL is None, reason="kubectl is not installed")
@pytest.mark.parametrize("component", ["keda", "hpa"])
def test_kustomize_adds_an_autoscaler_and_leaves_the_number_to_it(
    component: str, tmp_path: Path
) -> None:
    folder = tmp_path / "kubernetes"
    shutil.copytree(FOLDER, folder)
    (folder / "secret").write_text("s" * 16)
    with (folder / "kustomization.yaml").open("a") as file:
        file.write(f"components: [{component}]\n")
    argv = [str(KUBECTL), "kustomize", str(folder)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made = {each["kind"]: each for each in yaml.safe_load_all(done.stdout)}
    scaler = "ScaledObject" if component == "keda" else "HorizontalPodAutoscaler"
    assert {*made} == {*OURS, "ConfigMap", scaler}
    assert "replicas" not in made["Deployment"]["spec"]


@pytest.mark.skipif(KUBECTL is None, reason="kubectl is not installed")
def test_kustomize_puts_the_files_together(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "kubernetes")
    (tmp_path / "kubernetes" / "secret").write_text("s" * 16)
    argv = [str(KUBECTL), "kustomize", str(tmp_path / "kubernetes")]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made = {each["kind"]: each for each in yaml.safe_load_all(done.stdout)}
    assert {*made} == {*OURS, "ConfigMap"}
    assert pod_of(made["Deployment"])["containers"][0]["image"] == IMAGE
    for each in made.values():
        validate(each, "1.31", strict=True)
