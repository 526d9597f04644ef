// Arrays of numbers in the form of output/view/packed_numbers.h.

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let n = 0; n < text.length; ++n) bytes[n] = text.charCodeAt(n);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Joins the bytes of numbers, stored as all lowest bytes, then all second lowest ones.
function joinBytes(bytes, bytesEach) {
  if (bytesEach === 1) return bytes;
  const count = bytes.length / bytesEach;
  const numbers = bytesEach === 2 ? new Int16Array(count) : new Int32Array(count);
  for (let b = 0; b < bytesEach; ++b) {
    const from = b * count;
    const shift = 8 * b;
    for (let n = 0; n < count; ++n) numbers[n] |= bytes[from + n] << shift;
  }
  return numbers;
}

// Undoes differences along an axis, in place; typed arrays wrap around, as the format needs.
function sumAlong(numbers, shape, axis) {
  let stride = 1;
  for (let a = axis + 1; a < shape.length; ++a) stride *= shape[a];
  const block = stride * shape[axis];
  for (let begin = 0; begin < numbers.length; begin += block) {
    const end = begin + block;
    for (let n = begin + stride; n < end; ++n) numbers[n] += numbers[n - stride];
  }
}

// The number that stands for a gap in 16 bits.
const GAP = -32768;

// {data: whole numbers, step, offset, shape}: a value is offset + step · number.
async function unpackNumbers(packed, bytes) {
  let data = new Int16Array(0);
  if (packed.size > 0) {
    const stream = bytes.subarray(packed.begin, packed.begin + packed.size);
    data = joinBytes(await inflate(stream), packed.bytes);
    for (const axis of packed.axes) sumAlong(data, packed.shape, axis);
  }
  return {data, step: packed.step, offset: packed.offset, shape: packed.shape};
}

async function unpackAll(entries, names, bytes) {
  const arrays = await Promise.all(names.map((name) => unpackNumbers(entries[name], bytes)));
  return Object.fromEntries(names.map((name, n) => [name, arrays[n]]));
}
