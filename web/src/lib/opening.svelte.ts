// A table is being made: then I go there, or read why it could not be.
import type { Made } from "./messages";
import { remember } from "./mine";
import { sayError } from "./refusals";
import { go } from "./router.svelte";

export class Opening {
  busy = $state(false);
  trouble = $state("");

  async sit(making: Promise<Made>): Promise<void> {
    this.busy = true;
    this.trouble = "";
    try {
      const { game, table, invites } = await making;
      remember(table, true, invites);
      go(`/table/${game}`);
    } catch (error) {
      this.trouble = sayError(error);
    }
    this.busy = false;
  }
}
