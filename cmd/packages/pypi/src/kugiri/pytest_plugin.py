"""Fixtures for pytest: one server for a session, and a fork of it for each test.

The settings kugiri_seed and kugiri_flags of pytest.ini or pyproject.toml are the arguments of
kugiri.start; a relative path of a seed is below the root directory of pytest. Each worker of
pytest-xdist has a server of its own.
"""

from __future__ import annotations

import functools
import shlex
import sys
from typing import Any, Callable, Iterator

import pytest

import kugiri
from kugiri.exploration import Report


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("kugiri_seed", "files and directories that each test begins with", type="linelist")
    parser.addini("kugiri_flags", "more flags of kugiri serve", type="args")


@pytest.fixture(scope="session")
def kugiri_server(pytestconfig: pytest.Config) -> Iterator[kugiri.Server]:
    """The server of the session."""
    seeds = [pytestconfig.rootpath / s for s in pytestconfig.getini("kugiri_seed")]
    with kugiri.start(seed=seeds, flags=pytestconfig.getini("kugiri_flags")) as server:
        yield server


@pytest.fixture(scope="session")
def kugiri_template(kugiri_server: kugiri.Server) -> Iterator[kugiri.Fork]:
    """What tests begin with. Override it to make tables by code."""
    with kugiri_server.fork() as fork:
        yield fork


@pytest.fixture
def kugiri_fork(kugiri_template: kugiri.Fork) -> Iterator[kugiri.Fork]:
    """The data of this test."""
    with kugiri_template.fork() as fork:
        yield fork


@pytest.fixture
def kugiri_client(kugiri_fork: kugiri.Fork) -> Any:
    """A DynamoDB client of boto3 for this test."""
    return kugiri_fork.client()


@pytest.fixture
def kugiri_resource(kugiri_fork: kugiri.Fork) -> Any:
    """A DynamoDB resource of boto3 for this test."""
    return kugiri_fork.resource()


@pytest.fixture
def kugiri_explore(kugiri_fork: kugiri.Fork, request: pytest.FixtureRequest) -> Callable[..., Report]:
    """Runs the workers of a program in every order of their requests, on forks of the data of this
    test: kugiri_explore(program, faults=1). See kugiri.Account.explore."""
    command = "pytest " + shlex.quote(request.node.nodeid)
    return functools.partial(kugiri_fork.explore, name=request.node.name, command=command)


@pytest.fixture
def kugiri_env(kugiri_fork: kugiri.Fork, monkeypatch: pytest.MonkeyPatch) -> kugiri.Fork:
    """Has SDK clients that the test makes without options use its fork."""
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in kugiri_fork.environment().items():
        monkeypatch.setenv(name, value)
    if boto3 := sys.modules.get("boto3"):  # whose default session keeps the credentials that it found first
        monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    return kugiri_fork
