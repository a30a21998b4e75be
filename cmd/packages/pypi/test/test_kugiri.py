"""Tests of the installed package, without and with its plugin."""

import json
import subprocess
import sys
import urllib.request

import pytest
from botocore.exceptions import ClientError

import kugiri

TABLE = dict(TableName="things", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
             AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}])


def test_server_ends_with_the_block():
    with kugiri.start() as server:
        assert server.client().list_tables()["TableNames"] == []
    with pytest.raises(OSError):
        urllib.request.urlopen(server.url + "/healthz")


def test_server_ends_with_its_process():
    out = subprocess.run([sys.executable, "-c", "import kugiri, os; print(kugiri.start().url, flush=True); os._exit(1)"],
                         stdout=subprocess.PIPE, text=True)
    url = out.stdout.strip()
    assert url.startswith("http://127.0.0.1:")
    while True:  # until the port is closed
        try:
            urllib.request.urlopen(url + "/healthz").close()
        except OSError:
            break


def test_a_server_that_cannot_start_says_why():
    with pytest.raises(kugiri.Error, match="no-such-flag"):
        kugiri.start(flags=["--no-such-flag"])
    with pytest.raises(kugiri.Error, match="nowhere"):
        kugiri.start(seed="nowhere.json")


def test_logs_go_to_standard_error(capfd):
    with kugiri.start(flags=["--log-requests"]) as server:
        server.client().list_tables()
        logged = ""
        while "ListTables" not in logged:  # until the line is there
            logged += capfd.readouterr().err


def test_the_variable_of_the_binary_is_no_setting(monkeypatch):
    monkeypatch.setenv("KUGIRI_BINARY", kugiri.binary())
    with kugiri.start() as server:
        assert server.client().list_tables()["TableNames"] == []


def test_forks_of_forks():
    with kugiri.start() as server, server.fork() as first:
        first.resource().create_table(**TABLE)
        with first.fork() as second, first.fork() as third:
            second.resource().Table("things").put_item(Item={"id": "1"})
            assert [f.client().scan(TableName="things")["Count"] for f in (first, second, third)] == [0, 1, 0]
        with pytest.raises(kugiri.Error, match="no fork"):
            second.drop()
        assert server.client().list_tables()["TableNames"] == []


def test_admin_of_a_fork():
    with kugiri.start(flags=["--clock=held"]) as server, server.fork() as fork:
        before, other = fork.admin("GET", "clock")["now"], server.admin("GET", "clock")["now"]
        fork.admin("POST", "clock/advance", {"by": "25h"})
        assert fork.admin("GET", "clock")["now"] != before
        assert server.admin("GET", "clock")["now"] == other


def test_environment(kugiri_env):
    import boto3
    boto3.client("dynamodb").create_table(**TABLE)
    assert "things" in kugiri_env.client().list_tables()["TableNames"]


def test_command():
    out = subprocess.run(["kugiri", "version"], stdout=subprocess.PIPE, text=True, check=True)
    assert out.stdout.startswith("kugiri ")


def test_a_fork_names_its_tenant(tmp_path):
    (tmp_path / "policy.yaml").write_text("tenants: {callers: {AK1: one}}\ntables: [{name: things, role: plain, key: {partition: id}}]\n")
    (tmp_path / "things.json").write_text(json.dumps(TABLE))
    flags = ["--shared", f"--policy={tmp_path / 'policy.yaml'}"]
    with kugiri.start(seed=tmp_path / "things.json", flags=flags) as server:
        fork = server.fork(tenant="one")
        for of in [fork, fork.fork()]:
            with pytest.raises(ClientError, match="tenant-crossing"):
                of.client().get_item(TableName="things", Key={"id": {"S": "THING#two"}})
            assert "Item" not in of.client().get_item(TableName="things", Key={"id": {"S": "THING#one"}})
        with pytest.raises(ClientError, match="tenant-caller"):
            server.fork().client().get_item(TableName="things", Key={"id": {"S": "THING#one"}})
        with pytest.raises(kugiri.Error):
            server.fork(tenant="common")
