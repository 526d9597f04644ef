// Numbers as text.

const KNOT = 1852 / 3600;  // [m s-1]
const MINUS = "−";

const units = {speed: "metric", duration: "hours"};

function plain(value, digits) {
  return value.toFixed(digits).replace("-", MINUS);
}

// `count` significant digits.
function figures(value, count = 3) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  if (exponent > 6 || exponent < -4) return value.toExponential(count - 1).replace(/-/g, MINUS);
  return plain(value, clamp(count - 1 - exponent, 0, 6));
}

function speedUnit(run) {
  if (!run.facts.metric) return "";
  return units.speed === "nautical" ? "kn" : "m/s";
}

function speedNumber(run, value) {
  return run.facts.metric && units.speed === "nautical" ? value / KNOT : value;
}

function withUnit(text, unit) {
  return unit ? `${text} ${unit}` : text;
}

function speedText(run, value) {
  return withUnit(plain(speedNumber(run, value), run.facts.metric ? 2 : 3), speedUnit(run));
}

function lengthText(run, value) {
  if (!run.facts.metric) return figures(value, 4);
  return units.speed === "nautical" ? `${plain(value / 1852, 1)} nmi` : `${plain(value / 1000, 1)} km`;
}

const rounded = (value, step) => (step > 0 ? Math.round(value / step) * step : value);
const decimalsOf = (step) => Math.max(0, -Math.floor(Math.log10(step) + 1e-9));

// `step`: the rounding unit of the terminal's reports.
function durationText(run, value, step = 0) {
  if (!Number.isFinite(value)) return "–";
  const roundedValue = rounded(value, step);
  if (!run.facts.metric) return step > 0 ? plain(roundedValue, decimalsOf(step)) : figures(value, 4);
  if (units.duration === "hours") return `${plain(roundedValue / 3600, step < 3600 ? 1 : 0)} h`;
  return `${plain(roundedValue / 86400, step < 8640 ? 2 : 1)} d`;
}

// 1.97 MJ; without a power in the mission, the time at 1 m/s that takes as much energy: 25.1 h at 1 m/s.
function energyText(run, value) {
  const unit = run.facts.energy_units;
  if (!Number.isFinite(value)) return "–";
  if (unit === "m2 s-1") return `${durationText(run, value)} at 1 m/s`;
  if (unit !== "J") return figures(value, 4);
  const [scale, name] = [[1e9, "GJ"], [1e6, "MJ"], [1e3, "kJ"]].find(([limit]) => Math.abs(value) >= limit) ?? [1, "J"];
  return `${figures(value / scale, 3)} ${name}`;
}

// True if the value is a time: the objective is time, in metres and seconds.
function isTimeValue(run) {
  return run.facts.metric && run.facts.objective === "time";
}

// Costs count as negative rewards in the policy; the page shows them as costs, above 0.
const valueSign = (run) => (["time", "energy", "net_energy", "weighted"].includes(run.facts.objective) ? -1 : 1);

function valueName(run) {
  if (valueSign(run) > 0) return "Value";
  return run.facts.objective === "time" ? "Time to go" : run.facts.objective === "weighted" ? "Cost to go" : "Energy to go";
}

function valueText(run, value) {
  if (isTimeValue(run)) return durationText(run, -value);
  return withUnit(figures(valueSign(run) * value, 5), valueUnit(run));
}

function valueUnit(run) {
  if (isTimeValue(run)) return units.duration === "hours" ? "h" : "d";
  const unit = run.facts.value_units;
  return unit === "1" ? "" : unit.replace(/m2 s-1/, "m² s⁻¹");
}

function valueNumber(run, value) {
  if (!isTimeValue(run)) return valueSign(run) * value;
  return -value / (units.duration === "hours" ? 3600 : 86400);
}

function percentText(share) {
  if (!Number.isFinite(share)) return "–";
  if (share > 0 && share < 0.0005) return "< 0.1 %";
  if (share > 0.9995 && share < 1) return "> 99.9 %";
  return `${plain(100 * share, share === 1 || share === 0 ? 0 : 1)} %`;
}

// A share of `flights`, with as many digits as their number supports, as in the terminal's reports.
function chanceText(share, flights) {
  const error = Math.sqrt((share * (1 - share)) / flights);
  const step = 10 ** Math.floor(Math.log10(100 * Math.max(error, 1 / flights)) + 1e-9);
  const roundedValue = rounded(100 * share, step);
  if (roundedValue > 0 && roundedValue < 100) return `${plain(roundedValue, decimalsOf(step))} %`;
  // All flights arrive, or none: the limit of the 95 % confidence interval.
  const excluded = 100 * (1 - 0.05 ** (1 / flights));
  const unit = 10 ** Math.floor(Math.log10(Math.min(excluded, 100 - excluded)) + 1e-9);
  const limit = Math.ceil(excluded / unit - 1e-9) * unit;
  return roundedValue > 0 ? `over ${plain(100 - limit, decimalsOf(unit))} %` : `less than ${plain(limit, decimalsOf(unit))} %`;
}

// 47° 12.34′ N; rounded before the division, to avoid 60.00′.
function degreesText(degrees, positive, negative) {
  const hundredths = Math.round(Math.abs(degrees) * 6000);
  const minutes = (hundredths % 6000) / 100;
  return `${Math.floor(hundredths / 6000)}° ${minutes.toFixed(2).padStart(5, "0")}′ ${degrees < 0 ? negative : positive}`;
}

function bearingText(bearing) {
  return `${String(Math.round(bearing) % 360).padStart(3, "0")}°`;
}

// 067°, or in a plane without north 22.5° from +x.
function directionText(run, angle, x, y) {
  if (run.globe) return bearingText(run.bearing(angle, x, y));
  const degrees = (((angle * 180) / Math.PI) % 360 + 360) % 360;
  return `${plain(degrees, 1)}° from +x`;
}

// 28 Oct 2024 15:00 UTC of seconds since 1970.
function dateText(seconds) {
  return `${dayText(seconds, {year: "numeric"})} ${timeOfDay(seconds)} UTC`;
}

const toMinute = (seconds) => new Date(Math.round(seconds / 60) * 60000);

// 28 Oct
function dayText(seconds, options = {}) {
  return toMinute(seconds).toLocaleDateString("en-GB", {day: "numeric", month: "short", timeZone: "UTC", ...options}).replace("Sept", "Sep");
}

// 15:00
function timeOfDay(seconds) {
  return toMinute(seconds).toISOString().slice(11, 16);
}

function clockText(run, level) {
  const time = run.zero + level * run.time.step;
  return run.time.origin === null ? `time ${figures(time, 4)}` : dateText(time);
}
