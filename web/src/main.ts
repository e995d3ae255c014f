import { mount } from "svelte";
import App from "./App.svelte";
import { startRouter } from "./lib/router.svelte";
import "./styles/tokens.css";
import "./styles/base.css";

startRouter();
mount(App, { target: document.getElementById("app") as HTMLElement });
