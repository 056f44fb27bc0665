// Every screen in both themes, looked at by axe: nothing serious or critical.
import { createRequire } from 'node:module';
import { go, ready, test, visit } from './lib.mjs';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SCREENS = ['#/compose', '#/file/src/parse.rs', '#/budget?budget=6000', '#/preview', '#/presets', '#/loom', '#/loom?as=picture', '#/agent?ask=budget', '#/runs', '#/runs/1', '#/cache', '#/safety', '#/settings', '#/settings/providers', '#/settings/doctor', '#/settings/mcp', '#/settings/panel'];

for (const colorScheme of ['light', 'dark']) {
  test(`axe, ${colorScheme}`, async (browser) => {
    const { page } = await visit(browser, { colorScheme, bypassCSP: true });
    await ready(page);
    await page.addScriptTag({ path: axe });
    const found = [];
    const look = async (name) => {
      const result = await page.evaluate(async () => {
        const { violations } = await window.axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] });
        return violations.map((one) => ({ id: one.id, impact: one.impact, nodes: one.nodes.slice(0, 3).map((node) => `${node.target.join(' ')} ${node.failureSummary?.split('\n')[1] ?? ''}`) }));
      });
      for (const one of result) found.push({ name, ...one });
    };
    for (const hash of SCREENS) {
      await go(page, hash);
      await look(hash);
    }
    await go(page, '#/compose');
    await page.keyboard.press('?');
    await look('help');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await look('palette');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Send…' }).click();
    await look('send');
    const bad = found.filter((one) => one.impact === 'serious' || one.impact === 'critical');
    if (bad.length) throw new Error(JSON.stringify(bad, null, 1));
    return `${SCREENS.length + 3} looks, lesser findings: ${[...new Set(found.map((one) => `${one.id} (${one.impact})`))].join(', ') || 'none'}`;
  });
}
