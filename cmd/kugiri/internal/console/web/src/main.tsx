import "./style/main.css";
import { render } from "preact";
import { takeToken } from "./api/http";
import { App } from "./app";
import { loadCurrentView } from "./registry";
import { beginSession } from "./state/session";

takeToken();
void beginSession();
void loadCurrentView(); // meanwhile
render(<App />, document.getElementById("app")!);
