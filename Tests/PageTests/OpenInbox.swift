import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

/// An emulator with an inbox, as a process, and a browser that shows its page.
struct OpenInbox {
  let fanfare: Fanfare
  let emulator: InboxProcess
  let browser: Browser

  /// Sends a notification to it, whatever becomes of that.
  func send(to token: String, _ words: String...) throws {
    // Only the topic of mdm is not made of a bundle ID.
    let app = words.contains("mdm") ? ["--topic", "com.apple.mgmt.External.1"] : InboxProcess.app
    _ = try fanfare.run(emulator.send + app + ["--to", token, "--force"] + words)
  }

  /// Manages the app's channels.
  func channel(_ words: String...) throws -> Program.Result {
    try fanfare.run(["channel"] + words + emulator.place + InboxProcess.app)
  }

  /// Waits until a part of the page shows a text.
  func wait(
    for text: String, in selector: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try browser.wait(until: shows(selector, text), sourceLocation: sourceLocation)
  }

  /// Whether a part of the page shows a text.
  func has(_ text: String, in selector: String) throws -> Bool {
    try browser.value(shows(selector, text)) == true
  }

  private func shows(_ selector: String, _ text: String) -> String {
    let (selector, text) = (JSON(.string(selector)), JSON(.string(text)))
    return "document.querySelector(\(selector.encodedString())).innerText"
      + ".includes(\(text.encodedString()))"
  }

  /// Clicks the row of a list that shows a text.
  func choose(_ text: String, in list: String) throws {
    try wait(for: text, in: list)
    let text = JSON(.string(text)).encodedString()
    try browser.run(
      "[...document.querySelectorAll('\(list) .row')]"
        + ".find((row) => row.innerText.includes(\(text))).click()")
  }

  /// Shows the page, and waits until it is live.
  func open() throws {
    try browser.open(emulator.inbox)
    try waitUntilLive()
  }

  func waitUntilLive(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try browser.wait(
      until: "document.querySelector('#state').textContent === 'Live'",
      sourceLocation: sourceLocation)
  }

  /// The key in the URL that the emulator printed.
  var key: String { emulator.inbox.split(separator: "=").last.map(String.init) ?? "" }
}

/// `fanfare emulator --inbox` as a process that is ready.
struct InboxProcess {
  let program: Program
  private let ready: JSON

  init(_ fanfare: Fanfare, port: String = "0", _ words: [String] = []) throws {
    program = try fanfare.start(
      ["emulator", "--inbox", port, "--json"] + words, limit: 3600)
    ready = try JSON(text: try #require(program.readLine(), "the emulator did not start"))
  }

  /// Where the page is, with its key.
  var inbox: String { ready["inbox"]?.string ?? "" }

  /// The port of the page.
  var port: String { inbox.firstMatch(of: /:(\d+)\//).map { String($0.1) } ?? "" }

  static let app = ["--bundle-id", "com.example.shop"]

  /// `fanfare send` to it.
  var send: [String] { ["send"] + place }

  /// The options that lead to it.
  var place: [String] {
    ["--server", ready["url"]?.string ?? "", "--ca", ready["ca"]?.string ?? ""]
      + ["--no-history", "--quiet"] + credentials
  }

  func end() throws {
    program.send(SIGTERM)
    #expect(try program.finish().exitCode == 143)
  }
}

/// The token of a device with a number.
func device(_ number: Int) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 64 - digits.count) + digits
}

/// Starts an emulator and shows its page in a browser.
///
/// - Parameter expected: part of what the browser may complain of; of anything else it may not.
func withOpenInbox(
  _ words: [String] = [], expecting expected: String? = nil, _ body: (OpenInbox) throws -> Void
) throws {
  try withFanfare { fanfare in
    try Browser.withTab { browser in
      let emulator = try InboxProcess(fanfare, words)
      let inbox = OpenInbox(fanfare: fanfare, emulator: emulator, browser: browser)
      try browser.show(width: 1280, height: 800, scheme: "light")
      try inbox.open()
      try body(inbox)
      let complaints = try browser.complaints()
      #expect(complaints.filter { expected.map($0.contains) != true } == [])
      try emulator.end()
    }
  }
}
