"""LangGraph: an agent that waits for a human, and goes on in another process."""

import os
from operator import add
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from langgraph_checkpoint_aws import DynamoDBSaver

from steps import advance, create_table, equal, items, run

TABLE = "checkpoints"


class State(TypedDict):
    messages: Annotated[list, add]


def ask(state):
    return {"messages": [interrupt("ship it?")]}


def ship(state):
    return {"messages": ["shipped" if state["messages"][-1] == "yes" else "kept"]}


def agent(**options):
    """The graph with a saver of its own, as another process has it."""
    graph = StateGraph(State).add_node(ask).add_node(ship)
    graph.add_edge(START, "ask").add_edge("ask", "ship").add_edge("ship", END)
    return graph.compile(checkpointer=DynamoDBSaver(TABLE, **options))


def counter(**options):
    """A graph that takes a message and writes a checkpoint at each step."""
    graph = StateGraph(State).add_node("note", lambda state: {"messages": []})
    graph.add_edge(START, "note").add_edge("note", END)
    return graph.compile(checkpointer=DynamoDBSaver(TABLE, **options))


def thread(name):
    return {"configurable": {"thread_id": name}}


def interrupt_():
    asked = agent().invoke({"messages": ["one chair"]}, thread("order"))
    equal([i.value for i in asked["__interrupt__"]], ["ship it?"])
    equal(agent().get_state(thread("order")).next, ("ask",))
    done = agent().invoke(Command(resume="yes"), thread("order"))
    equal(done["messages"], ["one chair", "yes", "shipped"])
    equal(agent().get_state(thread("order")).next, ())
    asked = next(s for s in agent().get_state_history(thread("order")) if s.interrupts)
    equal((asked.values["messages"], asked.next), (["one chair"], ("ask",)))


def pages():
    for i in range(8):
        counter().invoke({"messages": [str(i)]}, thread("long"))
    graph = counter()
    everything = list(graph.get_state_history(thread("long")))
    equal(len(everything), 8 * 3)
    equal(everything[0].values["messages"], [str(i) for i in range(8)])
    read, before = [], None
    while page := list(graph.get_state_history(thread("long"), limit=5, before=before)):
        assert len(page) <= 5, len(page)
        read, before = read + page, page[-1].config
    equal([s.config for s in read], [s.config for s in everything])


def threads():
    counter().invoke({"messages": ["mine"]}, thread("a"))
    counter().invoke({"messages": ["yours"]}, thread("b"))
    equal(counter().get_state(thread("a")).values["messages"], ["mine"])
    equal(counter().get_state(thread("c")).values, {})


def large_states():
    """Twelve checkpoints of 300 kB each: more than a page of 1 MB."""
    large = [os.urandom(150_000).hex()]
    for messages in (large, [], [], []):
        counter().invoke({"messages": messages}, thread("large"))
    found = list(counter().get_state_history(thread("large")))
    equal(len(found), 12)
    assert all(s.values.get("messages", large) == large for s in found[:-1])


def deletion():
    counter().checkpointer.delete_thread("long")
    equal(list(counter().get_state_history(thread("long"))), [])
    equal([i["PK"]["S"] for i in items(TABLE) if "long" in i["PK"]["S"]], [])
    equal(counter().get_state(thread("a")).values["messages"], ["mine"])


def expiry():
    counter(ttl_seconds=3600).invoke({"messages": ["for an hour"]}, thread("short"))
    advance("30m")
    equal(counter().get_state(thread("short")).values["messages"], ["for an hour"])
    advance("96h")
    equal(counter().get_state(thread("short")).values, {})
    equal(counter().get_state(thread("a")).values["messages"], ["mine"])


interrupt_.__name__ = "interrupt"
create_table(TABLE, "PK", "SK", ttl="ttl")
run("langgraph-checkpoint-aws", interrupt_, pages, threads, large_states, deletion, expiry)
