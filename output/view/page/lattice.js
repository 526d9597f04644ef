// Planes of fields. A page holds one in every `level_stride` levels and `cell_stride` cells.

const clamp = (value, min, max) => Math.min(Math.max(value, min), max);

// Interpolates a plane (y, x) between its nodes, and up to half a node outside them.
class Lattice {
  constructor(description, grid) {
    Object.assign(this, description);
    this.grid = grid;
    this.plane = description.nx * description.ny;
  }

  // Index of the last kept level at or before a level.
  levelBefore(level) {
    const n = Math.floor((level - this.first_level) / this.level_stride + 1e-9);
    return clamp(n, 0, this.level_count - 1);
  }

  // The two kept levels around a level, and the fraction of the distance between them.
  levelsAround(level) {
    const at = clamp((level - this.first_level) / this.level_stride, 0, this.level_count - 1);
    const first = Math.min(Math.floor(at), Math.max(this.level_count - 2, 0));
    const second = Math.min(first + 1, this.level_count - 1);
    return {first, second, part: second > first ? at - first : 0};
  }

  // The node nearest to the centre of the cell that holds a point; −1 outside the grid.
  nodeAt(x, y) {
    const cell = cellAt(this.grid, x, y);
    if (!cell) return -1;
    const column = Math.min(Math.round(cell.column / this.cell_stride), this.nx - 1);
    const row = Math.min(Math.round(cell.row / this.cell_stride), this.ny - 1);
    return row * this.nx + column;
  }

  // Position of a node.
  placeOf(node) {
    const {grid, nx, cell_stride} = this;
    return {
      x: grid.x_first + (node % nx) * cell_stride * grid.dx,
      y: grid.y_first + Math.floor(node / nx) * cell_stride * grid.dy,
    };
  }

  // The four nodes around a point and their weights.
  around(x, y) {
    const grid = this.grid;
    const column = clamp((x - grid.x_first) / grid.dx / this.cell_stride, 0, this.nx - 1);
    const row = clamp((y - grid.y_first) / grid.dy / this.cell_stride, 0, this.ny - 1);
    const i = Math.min(Math.floor(column), Math.max(this.nx - 2, 0));
    const j = Math.min(Math.floor(row), Math.max(this.ny - 2, 0));
    const a = column - i;
    const b = row - j;
    const node = j * this.nx + i;
    const east = this.nx > 1 ? 1 : 0;
    const north = this.ny > 1 ? this.nx : 0;
    return {
      nodes: [node, node + east, node + north, node + east + north],
      shares: [(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b],
    };
  }

  // The sum of the four nodes' values with their weights; `at` gives the value of a node.
  blend({nodes, shares}, at) {
    return shares[0] * at(nodes[0]) + shares[1] * at(nodes[1]) + shares[2] * at(nodes[2]) +
      shares[3] * at(nodes[3]);
  }
}

function cellAt(grid, x, y) {
  const column = Math.floor((x - grid.x_first) / grid.dx + 0.5);
  const row = Math.floor((y - grid.y_first) / grid.dy + 0.5);
  const inside = column >= 0 && column < grid.nx && row >= 0 && row < grid.ny;
  return inside ? {column, row} : null;
}
