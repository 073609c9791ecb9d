// Reads server-sent events (HTML Standard, section 9.2). EventSource cannot send the key in a header.

/** The server-sent events of a body, as many at a time as came together. */
export async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (text + value).split("\n\n");
    text = blocks.pop();
    yield blocks.map(fieldsOf);
  }
}

const fieldsOf = (block) => Object.fromEntries(block.split("\n").map((line) => {
  const colon = line.indexOf(": ");
  return [line.slice(0, colon), line.slice(colon + 2)];
}));
