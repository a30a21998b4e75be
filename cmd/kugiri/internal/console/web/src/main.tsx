import "./style/main.css";
import { render } from "preact";
import { takeToken } from "./api/http";
import { App } from "./app";
import { loadCurrentView } from "./registry";
import { keepFocus } from "./state/focus";
import { beginSession } from "./state/session";

takeToken();
void beginSession();
void loadCurrentView(); // meanwhile
const root = document.getElementById("app")!;
render(<App />, root);
keepFocus(root);
