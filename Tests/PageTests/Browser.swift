import Foundation
import JSONText
import SendingSupport
import Synchronization
import TestSupport
import Testing

/// Chromium without a window, driven by WebDriver (W3C). One test uses it after the other, each in a
/// tab of its own: to start it takes longer than most tests.
final class Browser: Sendable {
  private let driver: Program
  private let files: KeptFolder
  private let session: String
  private static let idle = Mutex<[Browser]>([])

  /// Starts a driver and a browser.
  private init() throws {
    files = try KeptFolder()
    let folder = TemporaryFolder(path: files.path)
    let port: Substring
    (driver, port) = try Self.startDriver(requirePath(of: "chromedriver"), in: folder)
    let address = "http://127.0.0.1:\(port)/session"
    let reply = try Self.request("POST", address, Self.capabilities(folder), in: folder)
    session = "\(address)/\(try #require(reply["sessionId"]?.string))"
    // How long a page takes to load, or to be what a test waits for, says nothing on a busy machine.
    try command("POST", "timeouts", ["script": nil, "pageLoad": 3_600_000])
  }

  /// Gives a test a browser with a new tab. One in which a test has failed is not used again.
  static func withTab(_ body: (Browser) throws -> Void) throws {
    let browser = try idle.withLock { $0.popLast() } ?? Browser()
    do {
      let first = try browser.command("GET", "window")
      let tab: JSON = try browser.command("POST", "window/new", ["type": "tab"])["handle"] ?? nil
      try browser.command("POST", "window", ["handle": tab])
      try browser.developerTools("Page.bringToFront", [:])
      try browser.prepare(Self.counting)
      _ = try browser.complaints()
      try body(browser)
      try browser.command("DELETE", "window")
      try browser.command("POST", "window", ["handle": first])
    } catch {
      try? browser.close()
      throw error
    }
    idle.withLock { $0.append(browser) }
  }

  /// Ends those that no test uses.
  static func closeIdle() throws {
    while let browser = idle.withLock({ $0.popLast() }) { try browser.close() }
  }

  /// Ends both.
  private func close() throws {
    try command("DELETE", "")
    driver.send(SIGTERM)
    _ = try driver.finish()
  }

  /// A driver that listens, and its port. It takes a port that is free for IPv4, and ends when
  /// another program has that port for IPv6; then the next one tries.
  static func startDriver(
    _ path: String, in folder: TemporaryFolder
  ) throws -> (Program, Substring) {
    var complaints: [String] = []
    for _ in 1...5 {
      let driver = try Program(path: path, ["--port=0"], in: folder, limit: 3600)
      var lines: [String] = []
      while let line = driver.readLine() {
        if let match = line.firstMatch(of: /started successfully on port (\d+)/) {
          return (driver, match.1)
        }
        lines.append(line)
      }
      complaints += try lines + [driver.finish().errors]
    }
    throw BrowserError(message: "chromedriver did not start: \(complaints.joined(separator: "\n"))")
  }

  /// Everything that a browser does on its own account is off; containers have no sandbox to offer.
  private static func capabilities(_ folder: TemporaryFolder) -> JSON {
    let words: [JSON] = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--no-first-run", "--disable-background-networking", "--hide-scrollbars",
      JSON(.string("--user-data-dir=\(folder.file("profile"))")),
    ]
    return [
      "capabilities": [
        "alwaysMatch": [
          "browserName": "chrome", "goog:loggingPrefs": ["browser": "ALL"],
          "goog:chromeOptions": ["args": JSON(.array(words))],
        ]
      ]
    ]
  }

  /// Sends a command of the session.
  @discardableResult
  func command(_ method: String, _ path: String, _ body: JSON? = nil) throws -> JSON {
    let url = path.isEmpty ? session : "\(session)/\(path)"
    return try Self.request(method, url, body, in: TemporaryFolder(path: files.path))
  }

  private static func request(
    _ method: String, _ url: String, _ body: JSON?, in folder: TemporaryFolder
  ) throws -> JSON {
    var words = ["-sS", "-X", method, url]
    if let body {
      let path = try folder.write("request.json", body.encodedString())
      words += ["-H", "content-type: application/json", "--data-binary", "@\(path)"]
    }
    let result = try TestSupport.run("curl", words, in: folder)
    let value = try JSON(text: result.output)["value"] ?? nil
    if let error = value["error"]?.string {
      throw BrowserError(message: "\(error): \(value["message"]?.string ?? "")")
    }
    return value
  }
}

/// Ends the browsers that the tests of a suite have shared.
struct SharedBrowsers: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await function()
    try Browser.closeIdle()
  }
}

/// What the driver complained of.
struct BrowserError: Error, CustomStringConvertible {
  let message: String
  var description: String { message }
}

// What the tests do with it.
extension Browser {
  /// Keys that have no character (WebDriver, section 17.4.2).
  enum Key: String {
    case tab = "\u{E004}"
    case enter = "\u{E007}"
    case escape = "\u{E00C}"
    case end = "\u{E010}"
    case home = "\u{E011}"
    case up = "\u{E013}"
    case down = "\u{E015}"
  }

  func open(_ url: String) throws { try command("POST", "url", ["url": JSON(.string(url))]) }

  /// The value of an expression in the page.
  func value(_ expression: String) throws -> JSON {
    try run("return \(expression)")
  }

  /// Runs a script in the page.
  @discardableResult
  func run(_ script: String) throws -> JSON {
    try command("POST", "execute/sync", ["script": JSON(.string(script)), "args": []])
  }

  /// Runs a script in each page that the tab opens from now on, before the page's own.
  func prepare(_ script: String) throws {
    try developerTools(
      "Page.addScriptToEvaluateOnNewDocument", ["source": JSON(.string(script))])
  }

  /// Tells whether the page waits for an answer. The events of an inbox never end.
  private static let counting = """
    (() => {
      const ask = window.fetch;
      let count = 0;
      const end = () => { count -= 1; };
      window.isUnderWay = () => count > 0;
      window.fetch = (url, options) => {
        const answer = ask(url, options);
        if (/v1\\/events/.test(url)) return answer;
        count += 1;
        answer.then((known) => known.clone().arrayBuffer()).then(end, end);
        return answer;
      };
    })();
    """

  /// Waits in the page until a condition holds, however long the machine takes for it: only looks
  /// at a page that waits for no answer, each in a frame of its own, are counted.
  func wait(
    until condition: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let script = """
      const done = arguments[arguments.length - 1];
      const holds = () => { try { return Boolean(\(condition)) } catch { return false } };
      let looks = \(Self.patience);
      const look = () => {
        if (holds()) return done(true);
        if (!window.isUnderWay?.()) looks -= 1;
        if (looks < 0) return done(false);
        const again = () => setTimeout(look, 15);
        document.hidden ? again() : requestAnimationFrame(again);
      };
      look();
      """
    let words: JSON = ["script": JSON(.string(script)), "args": []]
    if try command("POST", "execute/async", words) == true { return }
    let text = try value("document.body.innerText").string ?? ""
    Issue.record("Not seen: \(condition)\n\(text.prefix(3000))", sourceLocation: sourceLocation)
    throw BrowserError(message: "The page does not change any more.")
  }

  /// The most looks at a page that waits for no answer.
  private static let patience = 3000

  /// Presses keys, one after the other.
  func press(_ keys: Key..., times: Int = 1) throws {
    let keys = (0..<times).flatMap { _ in keys }
    try type(keys.map(\.rawValue).joined())
  }

  /// Types a text into whatever has the focus.
  func type(_ text: String) throws {
    let strokes = text.flatMap { character -> [JSON] in
      ["keyDown", "keyUp"].map {
        ["type": JSON(.string($0)), "value": JSON(.string(String(character)))]
      }
    }
    let actions: JSON = ["type": "key", "id": "keys", "actions": JSON(.array(strokes))]
    try command("POST", "actions", ["actions": [actions]])
  }

  /// Clicks what a selector finds first, as a mouse would, once it is there. A page that draws it
  /// anew meanwhile gets another click.
  func click(_ selector: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let text = JSON(.string(selector)).encodedString()
    for _ in 1...20 {
      try wait(
        until: "document.querySelector(\(text)) !== null", sourceLocation: sourceLocation)
      let found = try command(
        "POST", "element", ["using": "css selector", "value": JSON(.string(selector))])
      let id = try #require(found.object?.members.first?.value.string)
      do {
        try command("POST", "element/\(id)/click", [:])
        return
      } catch let error as BrowserError where error.message.hasPrefix("stale element") {}
    }
    throw BrowserError(message: "\(selector) is drawn anew all the time")
  }

  /// What the browser complained of: scripts that failed, rules of the content security policy.
  func complaints() throws -> [String] {
    try command("POST", "se/log", ["type": "browser"]).array?
      .filter { $0["level"] == "SEVERE" }.compactMap { $0["message"]?.string } ?? []
  }

  /// Makes the window as large as that of a phone or a desktop, light or dark.
  func show(width: Int, height: Int, scheme: String, forcedColors: Bool = false) throws {
    try developerTools(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": JSON(.number(JSONNumber(width))), "height": JSON(.number(JSONNumber(height))),
        "deviceScaleFactor": 1, "mobile": JSON(.bool(width < 600)),
      ])
    let features: JSON = [
      ["name": "prefers-color-scheme", "value": JSON(.string(scheme))],
      ["name": "forced-colors", "value": forcedColors ? "active" : "none"],
    ]
    try developerTools("Emulation.setEmulatedMedia", ["features": features])
  }

  func developerTools(_ command: String, _ parameters: JSON) throws {
    try self.command(
      "POST", "goog/cdp/execute", ["cmd": JSON(.string(command)), "params": parameters])
  }

  /// Writes what the window shows to a PNG file.
  func screenshot(to path: String) throws {
    let picture = try command("GET", "screenshot").string.flatMap { Data(base64Encoded: $0) }
    try #require(picture).write(to: URL(filePath: path))
  }
}
