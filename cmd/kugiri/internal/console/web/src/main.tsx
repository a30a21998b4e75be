import "./style/main.css";
import { render } from "preact";
import { takeToken } from "./api/http";
import { App } from "./app";
import { beginSession } from "./state/session";

takeToken();
void beginSession();
render(<App />, document.getElementById("app")!);
