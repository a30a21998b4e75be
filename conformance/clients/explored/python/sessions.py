"""Flask-Session: requests of one session that run together."""

import warnings

import flask
from explored import verdicts
from flask_session import Session
from flask_session.dynamodb import DynamoDBSessionInterface

apps, cookies = {}, {}


def application(db):
    app = flask.Flask("shop")
    app.config |= {"SESSION_TYPE": "dynamodb", "SESSION_DYNAMODB": db, "SESSION_DYNAMODB_TABLE": "sessions",
                   "SECRET_KEY": "x", "TESTING": True}
    with warnings.catch_warnings(action="ignore"):
        Session(app)
    assert isinstance(app.session_interface, DynamoDBSessionInterface)

    @app.get("/set/<name>")
    def put(name):
        flask.session[name] = "yes"
        return ""

    @app.get("/count")
    def count():
        flask.session["n"] = flask.session.get("n", 0) + 1
        return ""

    @app.get("/logout")
    def logout():
        flask.session.clear()
        return ""

    @app.get("/show")
    def show():
        return dict(flask.session)
    return app


def visit(app, db, path):
    """Makes a request of the session in an application that has started before."""
    app.session_interface.client, app.session_interface.store = db, db.Table("sessions")
    browser = app.test_client()
    browser.set_cookie("session", cookies["session"])
    return browser.get(path)


def visits(name, path):
    return lambda db: visit(apps[name], db, path).status_code


def set_up(db):
    for name in ("alice", "bob", "check"):
        apps[name] = application(db)
    browser = apps["check"].test_client()
    browser.get("/set/user")
    cookies["session"] = browser.get_cookie("session").value
    ttl = db.meta.client.describe_time_to_live(TableName="sessions")["TimeToLiveDescription"]
    assert ttl["TimeToLiveStatus"] == "DISABLED", "the library has come to enable TTL: say so in the documents"


def has(**want):
    def check(db):
        found = visit(apps["check"], db, "/show").json
        assert want.items() <= found.items(), found
    return check


def is_gone(db):
    assert not db.Table("sessions").scan(ConsistentRead=True)["Items"], "the session is there"


LOST = {"faults": 1, "kinds": ["lost"]}
verdicts("Flask-Session", set_up, [
    {"name": "two requests that store different things", "finds": "lost update",
     "workers": {"alice": visits("alice", "/set/cart"), "bob": visits("bob", "/set/color")}},
    {"name": "two requests that read", "workers": {"alice": visits("alice", "/show"), "bob": visits("bob", "/show")},
     "check": has(user="yes")},
    {"name": "a logout beside a request that stores", "finds": "check", "check": is_gone,
     "workers": {"alice": visits("alice", "/logout"), "bob": visits("bob", "/set/color")}},
    {"name": "one request, one answer lost", "workers": {"alice": visits("alice", "/count")}, "check": has(n=1),
     "options": LOST},
    {"name": "a request after another, a stale read", "finds": "check",
     "workers": {"alice": lambda db: [visits("alice", "/count")(db) for _ in range(2)]},
     "check": has(n=2), "options": {"faults": 1, "kinds": ["stale1"]}},
])
