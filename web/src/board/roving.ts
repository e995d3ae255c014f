// A group of buttons is one stop for Tab, at the one that had the focus last; arrows move within it (keys.ts).

export function roving(selector: string): (group: HTMLElement) => () => void {
  return (group) => {
    let stop: Element | null = null;
    const mark = (): void => {
      const found = [...group.querySelectorAll<HTMLElement>(selector)];
      const one = found.find((element) => element === stop) ?? found[0];
      for (const element of found) element.tabIndex = element === one ? 0 : -1;
    };
    const focus = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement) || !target.matches(selector)) return;
      stop = target;
      mark();
    };
    const watch = new MutationObserver(mark);
    watch.observe(group, { childList: true, subtree: true });
    group.addEventListener("focusin", focus);
    mark();
    return () => {
      watch.disconnect();
      group.removeEventListener("focusin", focus);
    };
  };
}
