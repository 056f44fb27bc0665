/** What the bar, the keys and the palette do with the document: copy it, build it, send it. One place for each. */
import { api } from '../lib/api';
import { count } from '../lib/format';
import { app } from './app.svelte';
import { workbench } from './workbench.svelte';

class Actions {
  isBusy = $state<'' | 'copy' | 'build'>('');

  /** Puts the exact text on the clipboard, as Preview shows it. */
  async copy(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = 'copy';
    const text = workbench.request().then(async (request) => {
      app.did({ do: 'build', request, edited: workbench.edited(request), copy: true });
      return (await api.preview(request)).text;
    });
    // Who waits for it tells of the failure.
    text.catch(() => undefined);
    await app.copy(text, 'the document');
    this.isBusy = '';
  }

  async build(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = 'build';
    try {
      const request = await workbench.request();
      app.did({ do: 'build', request, edited: workbench.edited(request) });
      const built = await api.build(request);
      const run = built.run ? ` as run ${built.run}` : '';
      // What was just built is what the next one is compared with.
      void workbench.askPrefix();
      app.toast('done', `Wrote ${built.path ?? 'the document'}${run}: ${count(built.tokens.count)} tokens.`);
    } catch (error) {
      app.fail(error);
    }
    this.isBusy = '';
  }
}

export const actions = new Actions();
