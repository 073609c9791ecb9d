import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

/// `fanfare studio` of a project, as a process, and a browser that shows its page.
struct OpenStudio {
  let fanfare: Fanfare
  let project: TemporaryFolder
  let browser: Browser
  let width: Int

  /// Shows a part of the page, which only a narrow window hides.
  func view(_ name: String) throws {
    if width < 600 { try browser.click("nav button[data-view=\(name)]") }
  }

  /// Shows form or text, for which a narrow window has no room side by side.
  func part(_ name: String) throws {
    try view("edit")
    if width < 600 { try browser.click("#parts button[data-part=\(name)]") }
  }

  /// Opens a file of the list.
  func choose(_ path: String) throws {
    try view("files")
    try browser.click("[data-path='\(path)']")
    try wait(for: path, in: "#name")
  }

  /// Types into a field in place of what it has.
  func fill(_ selector: String, with text: String) throws {
    try browser.wait(until: "document.querySelector('\(selector)') !== null")
    try browser.click(selector)
    try browser.run("document.activeElement.select()")
    try browser.type(text)
  }

  /// Chooses in a list of choices, or sets a text at once.
  func set(_ selector: String, to value: String) throws {
    try browser.run(
      """
      const field = document.querySelector('\(selector)');
      field.value = \(JSON(.string(value)).encodedString());
      for (const name of ['input', 'change']) field.dispatchEvent(new Event(name));
      """)
  }

  /// Clicks the first button within a part that says a text.
  func press(
    _ label: String, in selector: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = """
      [...document.querySelectorAll('\(selector) button')]
        .find((button) => button.textContent.includes('\(label)') && !button.disabled)
      """
    try browser.wait(until: "\(found) !== undefined", sourceLocation: sourceLocation)
    try browser.run("\(found).click()")
  }

  /// Waits until a part of the page shows a text.
  func wait(
    for text: String, in selector: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let text = JSON(.string(text)).encodedString()
    try browser.wait(
      until: "document.querySelector('\(selector)').textContent.includes(\(text))",
      sourceLocation: sourceLocation)
  }

  /// Waits until all that was typed is in its file.
  func waitUntilSaved(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try browser.wait(
      until: "document.querySelector('#saved').textContent === 'Saved'",
      sourceLocation: sourceLocation)
  }

  /// Has the answers to requests wait that a condition on `url` and `options` picks, from the next load
  /// on, until the page's `release()` is called.
  func hold(_ condition: String) throws {
    try browser.prepare(
      """
      const ask = window.fetch;
      window.held = [];
      window.release = () => window.held.splice(0).forEach((go) => go());
      window.fetch = async (url, options) => {
        const answer = await ask(url, options);
        if (window.isHolding && (\(condition))) await new Promise((go) => { window.held.push(go); });
        return answer;
      };
      """)
  }

  /// Waits until so many answers are held.
  func waitForHeld(_ count: Int = 1) throws {
    try browser.wait(until: "window.held.length >= \(count)")
  }

  /// Presses Ctrl and Enter, which sends.
  func pressSend() throws {
    let keys = [
      ("keyDown", "\u{E009}"), ("keyDown", "\u{E007}"), ("keyUp", "\u{E007}"),
      ("keyUp", "\u{E009}"),
    ]
    let strokes: [JSON] = keys.map {
      ["type": JSON(.string($0)), "value": JSON(.string($1))]
    }
    let actions: JSON = ["type": "key", "id": "keys", "actions": JSON(.array(strokes))]
    try browser.command("POST", "actions", ["actions": [actions]])
  }

  /// Shows the page.
  func open(_ url: String) throws {
    try browser.open(url)
    try wait(for: "Live", in: "#state")
  }
}

/// The studio as a process that is ready.
struct StudioProcess {
  let program: Program
  let url: String

  init(_ fanfare: Fanfare, port: String = "0", environment: [String: String] = [:]) throws {
    program = try fanfare.start(
      ["studio", "project", "--port", port], environment: environment, limit: 3600)
    url = try #require(program.readLine(), "the studio did not start")
  }

  var port: String { url.firstMatch(of: /:(\d+)\//).map { String($0.1) } ?? "" }

  func end() throws {
    program.send(SIGINT)
    #expect(try program.finish().exitCode == 130)
  }
}

/// Starts a studio of a project with some files, and shows its page in a browser.
///
/// - Parameters:
///   - expected: part of what the browser may complain of; of anything else it may not.
///   - environment: gives the studio's variables.
func withOpenStudio(
  width: Int, files: [String: String] = [:], expecting expected: String? = nil,
  environment: (Fanfare) throws -> [String: String] = { _ in [:] },
  _ body: (OpenStudio, StudioProcess) throws -> Void
) throws {
  try withFanfare { fanfare in
    let project = fanfare.folder.folder("project")
    for name in ["project", "project/scenarios", "project/payloads", "project/lists"] {
      try fanfare.folder.makeFolder(name)
    }
    for (name, text) in files { try project.write(name, text) }
    // The browser comes first: to wait for it costs no program its time.
    try Browser.withTab { browser in
      let process = try StudioProcess(fanfare, environment: environment(fanfare))
      try browser.show(width: width, height: 800, scheme: "light")
      let studio = OpenStudio(fanfare: fanfare, project: project, browser: browser, width: width)
      try studio.open(process.url)
      try body(studio, process)
      let complaints = try browser.complaints()
      #expect(complaints.filter { expected.map($0.contains) != true } == [])
      if expected != "net::ERR_" { try process.end() }
    }
  }
}
