// Colours that people with colour blindness can distinguish: scales of increasing lightness (cividis by J. Nuñez,
// plasma by N. Smith and S. van der Walt; blues, violets and ambers of one hue), and the palette of Okabe and Ito
// for kinds.

const MAPS = {
  cividis: ["#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838"],
  plasma: ["#0d0887", "#46039f", "#7201a8", "#9c179e", "#bd3786", "#d8576b", "#ed7953", "#fb9f3a", "#fdca26", "#f0f921"],
  light: {
    speed: ["#f6fafc", "#dbe9f3", "#c2daeb", "#a6c9e2", "#88b5d6", "#6a9fc9", "#4e89b9"],
    spread: ["#faf8fc", "#e9e2f1", "#d9cee8", "#c6b6dd", "#b19dd0", "#9b84c1", "#856bb0"],
    scalar: ["#fdfaf3", "#f8ebc9", "#f3dda7", "#edcc80", "#e2b95b", "#d3a43f", "#bf8d2b"],
  },
  dark: {
    speed: ["#0d151d", "#13263a", "#183450", "#1d4467", "#24557f", "#2d6897", "#3a7cae"],
    spread: ["#14111a", "#251d35", "#34294c", "#453663", "#57457b", "#6b5692", "#8069a8"],
    scalar: ["#17130b", "#2f2510", "#453512", "#5d4716", "#775b1b", "#927122", "#ae892c"],
  },
};

// In the order of OUTCOMES (data.js).
const OUTCOME_COLOURS = {
  light: ["#00805d", "#d55e00", "#b0548d", "#8a6d00", "#3566b8", "#6b6b6b", "#7a4b20"],
  dark: ["#2fc196", "#f08a4b", "#dd93bd", "#e6c34a", "#86a8ee", "#a8a8a8", "#c79a6b"],
};

// Dive profiles, in the order of the mission; distinct from the blues of the flow and the greens of arrivals.
const PROFILE_COLOURS = {
  light: ["#d97300", "#4b2ea8", "#007a6c", "#b0307a", "#6e6a00", "#5a5a5a"],
  dark: ["#ffab4a", "#b7a2ff", "#45d3bd", "#ff8ac2", "#d9d45a", "#b8b8b8"],
};

function channels(hex) {
  return [1, 3, 5].map((n) => parseInt(hex.slice(n, n + 2), 16));
}

// 256 colours as red, green, blue.
function makeTable(anchors) {
  const table = new Uint8Array(3 * 256);
  const stops = anchors.map(channels);
  for (let n = 0; n < 256; ++n) {
    const at = (n / 255) * (stops.length - 1);
    const first = Math.min(Math.floor(at), stops.length - 2);
    for (let c = 0; c < 3; ++c) {
      table[3 * n + c] = Math.round(stops[first][c] + (at - first) * (stops[first + 1][c] - stops[first][c]));
    }
  }
  return table;
}

const TABLES = {
  cividis: makeTable(MAPS.cividis),
  // Skips the end of the table that is invisible on the background.
  plasma: {light: makeTable(MAPS.plasma.slice(0, 8)), dark: makeTable(MAPS.plasma.slice(3))},
  light: Object.fromEntries(Object.entries(MAPS.light).map(([name, map]) => [name, makeTable(map)])),
  dark: Object.fromEntries(Object.entries(MAPS.dark).map(([name, map]) => [name, makeTable(map)])),
};

function backgroundTable(name, theme) {
  return name === "value" ? TABLES.cividis : TABLES[theme][name];
}

function tableColour(table, part) {
  const n = 3 * clamp(Math.round(part * 255), 0, 255);
  return `rgb(${table[n]}, ${table[n + 1]}, ${table[n + 2]})`;
}
