"""Terraform's backend: its state is in a bucket that this program has, its lock in the table."""

import json
import os
import re
import subprocess
import tempfile
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SERVER = os.environ["DYNAMODB_ENDPOINT"]
objects = {}


class Bucket(BaseHTTPRequestHandler):
    """What the backend asks of a bucket: it puts, gets and lists objects."""

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path.strip("/") == "states":
            return self.answer(200, b"<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>")
        if path not in objects:
            return self.answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
        self.answer(200, objects[path])

    do_HEAD = do_GET

    def do_PUT(self):
        objects[self.path.partition("?")[0]] = self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(200)

    def log_message(self, *args):
        pass


bucket = ThreadingHTTPServer(("127.0.0.1", 0), Bucket)
threading.Thread(target=bucket.serve_forever, daemon=True).start()
CONFIG = """
terraform {
  backend "s3" {
    bucket = "states"
    key = "shop"
    region = "us-east-1"
    dynamodb_table = "locks"
    endpoints = { s3 = "http://127.0.0.1:%d", dynamodb = "%s" }
    use_path_style = true
    skip_credentials_validation = true
    skip_requesting_account_id = true
    skip_metadata_api_check = true
    skip_region_validation = true
    skip_s3_checksum = true
  }
}
variable "price" { default = "1" }
resource "terraform_data" "shop" {
  input = var.price
  provisioner "local-exec" { command = "touch started; while [ -e hold ]; do sleep 0.05; done" }
}
""" % (bucket.server_port, SERVER)


def aws(operation, body):
    """Asks the table itself: this program has no SDK."""
    request = urllib.request.Request(SERVER, data=json.dumps(body).encode(), headers={
        "X-Amz-Date": "20260101T000000Z", "X-Amz-Target": f"DynamoDB_20120810.{operation}", "Content-Type": "application/x-amz-json-1.0",
        "Authorization": "AWS4-HMAC-SHA256 Credential=AKIDCLIENT/20260101/us-east-1/dynamodb/aws4_request, "
                         "SignedHeaders=host, Signature=0"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def items():
    return {i["LockID"]["S"]: i for i in aws("Scan", {"TableName": "locks"})["Items"]}


class Engineer:
    """A directory with the configuration."""

    def __init__(self):
        self.dir = tempfile.mkdtemp()
        open(self.path("main.tf"), "w").write(CONFIG)
        self.run("init", "-input=false")

    def path(self, name):
        return os.path.join(self.dir, name)

    def start(self, *args):
        environment = {**os.environ, "TF_IN_AUTOMATION": "1", "CHECKPOINT_DISABLE": "1"}
        return subprocess.Popen(["terraform", *args, "-no-color"], cwd=self.dir, env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, *args, fails=False):
        process = self.start(*args)
        text = process.communicate(timeout=100)[0]
        assert (process.returncode != 0) == fails, text
        return " ".join(text.split())  # it breaks lines

    def apply(self, *args, **more):
        return self.run("apply", "-auto-approve", "-input=false", *args, **more)

    def hold(self):
        """Starts an apply that stops in its midst, with the lock."""
        open(self.path("hold"), "w").close()
        process = self.start("apply", "-auto-approve", "-input=false", "-replace=terraform_data.shop")
        while not os.path.exists(self.path("started")):
            assert process.poll() is None, process.communicate()[0]
            time.sleep(0.05)
        return process

    def free(self, process):
        os.remove(self.path("hold"))
        text = process.communicate(timeout=100)[0]
        assert process.returncode == 0, text


def state():
    """One state is there, with its digest in the table."""
    ann, bob = Engineer(), Engineer()
    ann.apply()
    assert set(items()) == {"states/shop-md5"}, items()
    assert "No changes" in bob.run("plan", "-input=false")
    bob.apply("-var=price=2")
    assert json.loads(objects["/states/shop"])["serial"] > 1


def lock():
    """While an apply runs, another is refused, and told who has the lock."""
    ann, bob = Engineer(), Engineer()
    process = ann.hold()
    text = bob.apply(fails=True)
    assert "Error acquiring the state lock" in text and "ConditionalCheckFailedException" in text, text
    assert "OperationTypeApply" in text, text
    ann.free(process)
    bob.apply()
    assert set(items()) == {"states/shop-md5"}, items()


def wait():
    """Who waits for the lock gets it."""
    ann, bob = Engineer(), Engineer()
    process = ann.hold()
    waits = bob.start("apply", "-auto-approve", "-input=false", "-lock-timeout=60s")
    ann.free(process)
    text = waits.communicate(timeout=100)[0]
    assert waits.returncode == 0, text


def force_unlock():
    """A lock whose holder died stays until it is taken off by its id."""
    ann, bob = Engineer(), Engineer()
    process = ann.hold()
    process.kill()
    process.communicate()
    os.remove(ann.path("hold"))
    identity, = re.findall(r"Lock Info: ID: (\S+)", bob.apply(fails=True))
    bob.run("force-unlock", "-force", "00000000-0000-0000-0000-000000000000", fails=True)
    bob.run("force-unlock", "-force", identity)
    bob.apply()


def digest():
    """A state that is not the one of the digest is refused."""
    right, bob = items()["states/shop-md5"], Engineer()
    aws("PutItem", {"TableName": "locks", "Item": {**right, "Digest": {"S": "0" * 32}}})
    text = bob.run("state", "list", fails=True)
    assert "does not match the checksum stored in DynamoDB" in text, text
    aws("PutItem", {"TableName": "locks", "Item": right})
    assert "terraform_data.shop" in bob.run("state", "list")


aws("CreateTable", {"TableName": "locks", "BillingMode": "PAY_PER_REQUEST",
                    "AttributeDefinitions": [{"AttributeName": "LockID", "AttributeType": "S"}],
                    "KeySchema": [{"AttributeName": "LockID", "KeyType": "HASH"}]})
print("version", json.loads(subprocess.check_output(["terraform", "version", "-json"]))["terraform_version"])
for step in (state, lock, wait, force_unlock, digest):
    name = step.__name__.replace("_", " ")
    try:
        step()
        print("ok", name, flush=True)
    except Exception as e:  # the other steps run all the same
        print(f"failed {name}: {type(e).__name__}: {e}".replace("\n", " "), flush=True)
