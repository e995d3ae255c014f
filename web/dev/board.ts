// The fixture page: /dev/board.html?f=two-middle&theme=light&palette=safe&lang=de&hold=I2&bare=1
import { mount } from "svelte";
import { isLocale, loadWords } from "../src/lib/words.svelte";
import "../src/styles/tokens.css";
import "../src/styles/base.css";
import Viewer from "./Viewer.svelte";

const query = new URLSearchParams(location.search);
document.documentElement.dataset["theme"] = query.get("theme") ?? "dark";
document.documentElement.dataset["palette"] = query.get("palette") ?? "classic";
const wanted = query.get("lang");
await loadWords(isLocale(wanted) ? wanted : "en");
mount(Viewer, { target: document.getElementById("app") as HTMLElement });
