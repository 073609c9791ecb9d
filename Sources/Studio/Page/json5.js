// Reads JSON5 into a tree that knows where everything stands.

const escapes = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", 0: "\0" };
const word = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const number = /[+-]?(?:0[xX][\da-fA-F]+|Infinity|NaN|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y;
const blank = /(?:\s|\/\/[^\n\r]*|\/\*[^]*?\*\/)*/y;
const literals = new Map([["true", true], ["false", false], ["null", null]]);
/** The deepest nesting that is read. */
const deepest = 200;

/**
 * The tree of a text: nodes with `kind`, `start` and `end`, and `value`. An object has `members`,
 * each with `key`, `start`, `keyEnd` and `node`; an array has `items`. Throws an error with an `offset`.
 */
export const parse = (text) => new Reader(text).whole();

/** Where the blanks and comments that begin at an offset end. */
export const skipBlank = (text, offset) => {
  blank.lastIndex = offset;
  blank.exec(text);
  return blank.lastIndex;
};

class Reader {
  #at = 0;
  #depth = 0;

  constructor(text) { this.text = text; }

  whole() {
    if (this.text.startsWith("\ufeff")) this.#at = 1;
    const node = this.#node();
    this.#skip();
    if (this.#at < this.text.length) throw this.#error("Something follows the end.");
    return node;
  }

  #error(message, offset = this.#at) { return Object.assign(new Error(message), { offset }); }

  #skip() { this.#at = skipBlank(this.text, this.#at); }

  #match(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }

  #node() {
    this.#skip();
    const start = this.#at;
    const node = this.#inner();
    return { ...node, start, end: this.#at, raw: this.text.slice(start, this.#at) };
  }

  #inner() {
    const first = this.text[this.#at];
    if (first === undefined) throw this.#error("The text ends where a value is expected.");
    if (first === "{") return this.#nested(() => this.#object());
    if (first === "[") return this.#nested(() => this.#array());
    if (first === "\"" || first === "'") return { kind: "string", value: this.#string() };
    const digits = this.#match(number);
    if (digits !== undefined) return { kind: "number", value: valueOf(digits) };
    const start = this.#at;
    const name = this.#match(word);
    if (literals.has(name)) return { kind: "literal", value: literals.get(name) };
    throw this.#error(name ? "\"" + name + "\" needs quotes." : "A value is expected here.", start);
  }

  #nested(read) {
    this.#depth += 1;
    if (this.#depth > deepest) throw this.#error("This is nested too deeply.");
    this.#at += 1;
    const node = read();
    this.#depth -= 1;
    return node;
  }

  #object() {
    const members = [];
    this.#list("}", () => members.push(this.#member()));
    const value = Object.fromEntries(members.map(({ key, node }) => [key, node.value]));
    return { kind: "object", members, value };
  }

  #array() {
    const items = [];
    this.#list("]", () => items.push(this.#node()));
    return { kind: "array", items, value: items.map((item) => item.value) };
  }

  #list(close, read) {
    const opened = this.#at - 1;
    const isClosed = () => {
      this.#skip();
      if (this.#at >= this.text.length) throw this.#error("This is not closed.", opened);
      return this.text[this.#at] === close;
    };
    while (!isClosed()) {
      read();
      if (isClosed()) break;
      if (this.text[this.#at] !== ",") throw this.#error("A comma is missing before this.");
      this.#at += 1;
    }
    this.#at += 1;
  }

  #member() {
    const start = this.#at;
    const isQuoted = this.text[start] === "\"" || this.text[start] === "'";
    const key = isQuoted ? this.#string() : this.#match(word);
    if (key === undefined) throw this.#error("A key is expected here.");
    const keyEnd = this.#at;
    this.#skip();
    if (this.text[this.#at] !== ":") throw this.#error("A colon is missing after the key.");
    this.#at += 1;
    return { key, start, keyEnd, node: this.#node() };
  }

  #string() {
    const start = this.#at;
    const quote = this.text[start];
    let value = "";
    for (this.#at += 1; this.text[this.#at] !== quote; this.#at += 1) {
      const character = this.text[this.#at];
      if (character === undefined || character === "\n" || character === "\r") {
        throw this.#error("This text has no closing quote.", start);
      }
      value += character === "\\" ? this.#escape() : character;
    }
    this.#at += 1;
    return value;
  }

  /** Leaves the place at the escape's last character. */
  #escape() {
    this.#at += 1;
    const character = this.text[this.#at];
    const size = { x: 2, u: 4 }[character];
    if (size !== undefined) {
      const digits = this.text.slice(this.#at + 1, this.#at + 1 + size);
      if (!/^[\da-fA-F]+$/.test(digits) || digits.length < size) {
        throw this.#error("This escape lacks digits.", this.#at - 1);
      }
      this.#at += size;
      return String.fromCharCode(parseInt(digits, 16));
    }
    if (character === "\r" && this.text[this.#at + 1] === "\n") this.#at += 1;
    if (/[\n\r\u2028\u2029]/.test(character)) return "";
    return escapes[character] ?? character ?? "";
  }
}

const valueOf = (digits) => digits.startsWith("-") ? -Number(digits.slice(1)) : Number(digits);

/** The node at a path of keys and numbers; undefined where nothing is. */
export const nodeAt = (tree, path) => path.reduce((node, step) => typeof step === "number"
  ? node?.items?.[step] : memberOf(node, step)?.node, tree);

/** The member of an object with a key; the last one if there are several. */
export const memberOf = (node, key) => node?.members?.findLast((member) => member.key === key);

/** The path to what stands at an offset, and whether it is a member's key. */
export const placeAt = (tree, offset) => {
  const path = [];
  for (let node = tree; node;) {
    const member = node.members?.find(({ start, node }) => start <= offset && offset < node.end);
    if (member) {
      path.push(member.key);
      if (offset < member.node.start) return { path, isKey: true };
      node = member.node;
      continue;
    }
    const index = node.items?.findIndex(({ start, end }) => start <= offset && offset < end) ?? -1;
    if (index < 0) break;
    path.push(index);
    node = node.items[index];
  }
  return { path, isKey: false };
};
