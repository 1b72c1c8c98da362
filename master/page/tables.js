// Tables whose rows have keys, and change in place, so that the focus stays where it is.
// Everything is put in as text.  Knows elements; must not know what is shown.

export class Table {
  // columns: {label, kind, text(resource)}, or {label, kind, fill(cell, resource)} for elements;
  // isOptional: it is there only while a row has something in it.
  constructor(table, columns) {
    this.columns = columns;
    this.heads = table.tHead.rows[0].cells;
    this.body = table.tBodies[0];
    this.rows = new Map();
    for (const column of columns) {
      const head = document.createElement("th");
      head.scope = "col";
      head.role = "columnheader";
      head.textContent = column.label;
      if (column.kind === "number") head.className = "number";
      table.tHead.rows[0].append(head);
    }
  }

  // entries: [key, resource] in the order of the table; mood(resource): a class of the row.
  show(entries, mood) {
    const keys = new Set(entries.map(([key]) => key));
    for (const [key, row] of this.rows) {
      if (!keys.has(key)) {
        row.remove();
        this.rows.delete(key);
      }
    }
    let place = this.body.firstElementChild;
    for (const [key, resource] of entries) {
      let row = this.rows.get(key);
      if (row === undefined) {
        row = this.newRow();
        this.rows.set(key, row);
      }
      if (row === place) place = row.nextElementSibling;
      else this.body.insertBefore(row, place);
      if (row.shown === resource) continue;
      row.shown = resource;
      row.className = mood(resource);
      this.columns.forEach((column, at) => fill(row.cells[at], column, resource));
    }
    this.hideEmpty();
  }

  hideEmpty() {
    const rows = [...this.rows.values()];
    this.columns.forEach((column, at) => {
      if (!column.isOptional) return;
      const isEmpty = rows.every((row) => row.cells[at].textContent === "");
      for (const cell of [this.heads[at], ...rows.map((row) => row.cells[at])]) {
        if (cell.hidden !== isEmpty) cell.hidden = isEmpty;
      }
    });
  }

  // Show all rows again, as when what may be done has changed.
  forget() {
    for (const row of this.rows.values()) row.shown = undefined;
  }

  newRow() {
    const row = document.createElement("tr");
    row.role = "row"; // said again, for narrow pages show rows as blocks
    for (const column of this.columns) {
      const cell = document.createElement("td");
      cell.className = column.kind;
      cell.role = "cell";
      cell.dataset.label = column.label;
      row.append(cell);
    }
    return row;
  }
}

function fill(cell, column, resource) {
  if (column.fill) {
    column.fill(cell, resource);
    return;
  }
  const text = column.text(resource);
  if (cell.textContent !== text) cell.textContent = text;
  cell.classList.toggle("is-empty", text === "");
}
