// Before anything is seen: light, dark, or what the machine prefers.
document.body.dataset.theme = localStorage.getItem("theme") || "auto";
