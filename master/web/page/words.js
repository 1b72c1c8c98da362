// Numbers and times as people read them.  Knows values; must not know the page.

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

export const count = (value) => (value === null ? "" : whole.format(value));

export const capital = (name) => name.charAt(0).toUpperCase() + name.slice(1);

export const counted = (value, one, more) => `${count(value)} ${value === 1 ? one : more}`;

export const rate = (perSecond) => (perSecond > 0 ? `${short.format(perSecond)} /s` : "");

export function duration(seconds) {
  if (seconds === null) return "";
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, "0")} min`;
  return `${Math.round(hours / 24)} days`;
}
