// Numbers and times as people read them.  Knows values; must not know the page.

const whole = new Intl.NumberFormat("en");
const brief = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const share = new Intl.NumberFormat("en", { style: "percent", maximumSignificantDigits: 2 });
const hours = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const dates = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

export const count = (value) => (value === null ? "" : whole.format(value));

export const capital = (name) => name.charAt(0).toUpperCase() + name.slice(1);

export const counted = (value, one, more) => `${count(value)} ${value === 1 ? one : more}`;

export const rate = (perSecond) => (perSecond > 0 ? `${short.format(perSecond)} /s` : "");

export const compact = (value) => brief.format(value);

export const percent = (part) => (part === null ? "" : share.format(part));

export const milliseconds = (seconds) => (seconds === null ? "" : `${short.format(1_000 * seconds)} ms`);

export const clock = (time) => hours.format(time);

// A time of today, or with its day.
export const moment = (time) =>
  (time.toDateString() === new Date().toDateString() ? hours : dates).format(time);

const two = (value) => String(value).padStart(2, "0");

// A time on an axis: unlike what is left, it is as exact as the steps between two.
export function elapsed(seconds) {
  if (seconds < 60) return `${short.format(seconds)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)} min`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)} h`;
}

export function duration(seconds) {
  if (seconds === null) return "";
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, "0")} min`;
  return `${Math.round(hours / 24)} days`;
}
