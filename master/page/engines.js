// The engines that analysers of the fleet have for a game, as options of a select.

export const OWN_ENGINE = "manyply";

// page: {ask(path)}.  The value of our own engine is empty, that of another one its digest.
export async function engineOptions(page, game) {
  const { engines } = await page.ask(`api/engines?${new URLSearchParams({ game })}`);
  const others = engines.filter(({ name }) => name !== "");
  return [["", OWN_ENGINE], ...others.map(({ engine, name }) => [engine, name])];
}
