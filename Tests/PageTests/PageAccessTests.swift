import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

extension InboxPageTests {
  @Suite("Everyone can use it")
  struct PageAccess {
    static let windows: [(width: Int, height: Int, scheme: String)] = [
      (375, 812, "light"), (375, 812, "dark"), (800, 1024, "light"), (1280, 800, "light"),
      (1280, 800, "dark"),
    ]
    static let parts = ["devices", "screen", "pushes", "detail"]

    @Test("with the keyboard alone")
    func keyboard() throws {
      try withOpenInbox { inbox in
        let browser = inbox.browser
        for number in 1...3 { try inbox.send(to: device(number), "--title", "For \(number)") }
        try inbox.wait(for: "For 3", in: "#pushes")
        for focus in ["pause", "clear"] { try tab(to: focus, browser) }
        try browser.press(.enter)
        try browser.wait(until: "document.querySelector('dialog').open")
        try browser.press(.escape)
        try browser.wait(until: "document.activeElement.id === 'clear'")
        try tab(to: "find", browser)
        try browser.type("for")
        for focus in ["type", "app", "answer", "devices"] { try tab(to: focus, browser) }
        try browser.press(.down, times: 2)
        try inbox.wait(for: "1 of 3", in: "#pushes-title")
        try inbox.wait(for: "For 2", in: ".phone")
        try browser.press(.home)
        try tab(to: "screen", browser)
        try browser.press(.tab)
        try browser.wait(until: "document.activeElement.matches('.card')")
        try browser.press(.enter)
        try inbox.wait(for: "For 3", in: "#detail")
        try tab(to: "pushes", browser)
        try browser.press(.end)
        try inbox.wait(for: "For 1", in: "#detail")
        try tab(to: "detail", browser)
        try browser.press(.tab)
        try browser.wait(until: "document.activeElement.matches('.copy')")
        try browser.press(.enter)
        try browser.wait(
          until: "/Copied|Selected/.test(document.querySelector('#news').textContent)")
      }
    }

    @Test(
      "with enough contrast, large enough targets and no sideways scrolling", arguments: windows)
    func looks(_ window: (width: Int, height: Int, scheme: String)) throws {
      try withOpenInbox { inbox in
        try fill(inbox)
        try inbox.browser.show(width: window.width, height: window.height, scheme: window.scheme)
        for part in Self.parts {
          try show(part, inbox.browser)
          let faults = try inbox.browser.run(PageAudit.script)
          #expect(faults == [], "\(part)")
          try keepScreenshot("\(window.width)-\(window.scheme)-\(part)", inbox.browser)
        }
      }
    }

    @Test("with a screen reader: all that can be used has a role and a name")
    func names() throws {
      try withOpenInbox { inbox in
        try fill(inbox)
        let found = try inbox.browser.command(
          "POST", "elements",
          ["using": "css selector", "value": "button, input, select, [tabindex], .row"])
        var checked = 0
        for element in found.array ?? [] {
          let id = try #require(element.object?.members.first?.value.string)
          guard try inbox.browser.command("GET", "element/\(id)/displayed") == true else {
            continue
          }
          let name = try inbox.browser.command("GET", "element/\(id)/computedlabel").string ?? ""
          let role = try inbox.browser.command("GET", "element/\(id)/computedrole").string ?? ""
          #expect(!name.isEmpty && !["", "generic", "none"].contains(role), "\(role) '\(name)'")
          checked += 1
        }
        #expect(checked > 15)
      }
    }

    /// Something of every kind, with the details of a refused push.
    private func fill(_ inbox: OpenInbox) throws {
      for row in InboxPageTests.examples {
        try inbox.send(to: device(1), "--type", row.type, "--example", row.example)
      }
      try inbox.send(
        to: device(1), "--title", "Time to go", "--body", "The train leaves in ten minutes.",
        "--badge", "2", "--interruption-level", "time-sensitive", "--thread-id", "trains",
        "--collapse-id", "train")
      try inbox.send(to: device(1), "--title", "Sale", "--priority", "7")
      try inbox.choose("400 BadPriority", in: "#pushes")
      try inbox.wait(for: "Fix:", in: "#detail")
      try inbox.wait(for: "Time to go", in: ".phone")
    }

    private func show(_ part: String, _ browser: Browser) throws {
      try browser.run("document.querySelector('[data-shows=\(part)]').click()")
      try browser.wait(until: "document.querySelector('[data-pane=\(part)]').checkVisibility()")
      // Cards fade in.
      try browser.wait(
        until: "document.getAnimations().every((one) => one.playState !== 'running')")
    }

    private func tab(
      to id: String, _ browser: Browser, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      for _ in 0..<8 {
        try browser.press(.tab)
        if try browser.value("document.activeElement.id").string == id { break }
      }
      #expect(
        try browser.value("document.activeElement.id").string == id, sourceLocation: sourceLocation)
      let outline = try browser.value("getComputedStyle(document.activeElement).outlineStyle")
      #expect(outline != "none", "\(id)", sourceLocation: sourceLocation)
    }

    /// For people to look at, when they name a folder.
    private func keepScreenshot(_ name: String, _ browser: Browser) throws {
      guard let folder = ProcessInfo.processInfo.environment["FANFARE_SCREENSHOTS"] else { return }
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try browser.screenshot(to: "\(folder)/\(name).png")
    }
  }
}
