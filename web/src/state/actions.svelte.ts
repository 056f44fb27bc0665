/** What the bar, the keys and the palette do with the document: copy it, build it, send it. One place for each. */
import { api } from '../lib/api';
import { count } from '../lib/format';
import { app } from './app.svelte';
import { bench } from './bench.svelte';

class Actions {
  isBusy = $state<'' | 'copy' | 'build'>('');

  /** Puts the exact text on the clipboard, as Preview shows it. */
  async copy(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = 'copy';
    app.did({ do: 'build', request: app.request, copy: true });
    const text = bench.request().then((request) => api.preview(request)).then((preview) => preview.text);
    // Who waits for it tells of the failure.
    text.catch(() => undefined);
    await app.copy(text, 'the document');
    this.isBusy = '';
  }

  async build(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = 'build';
    app.did({ do: 'build', request: app.request });
    try {
      const built = await api.build(await bench.request());
      const run = built.run ? ` as run ${built.run}` : '';
      // What was just built is what the next one is compared with.
      void bench.askPrefix();
      app.toast('done', `Wrote ${built.path ?? 'the document'}${run}: ${count(built.tokens.count)} tokens.`);
    } catch (error) {
      app.fail(error);
    }
    this.isBusy = '';
  }
}

export const actions = new Actions();
