import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

extension StudioPageTests {
  @Suite("The history in the studio's page")
  struct StudioHistory {
    /// Scenarios that send to the emulator what their names say.
    private static func scenario(_ name: String, _ device: String) -> String {
      """
      {name: "\(name)", bundleID: "com.example.\(name.lowercased())", environment: "emulator",
       recipients: ["\(device)"], notification: {payload: {aps: {alert: "Some \(name)"}}}}
      """
    }

    private func rows(_ studio: OpenStudio, are texts: [String]) throws {
      for text in texts { try studio.wait(for: text, in: "#history .line-row") }
      try studio.browser.wait(
        until: "document.querySelectorAll('#history .line-row').length === \(texts.count)")
    }

    @Test("shows all runs, page by page, and searches all of them")
    func pages() throws {
      let script = #"{rules: [{answer: {reason: "Unregistered"}}]}"#
      let files = [
        "oats.json5": Self.scenario("Oats", device(1)),
        "rye.json5": Self.scenario("Rye", device(2)).replacing(
          "\"emulator\"", with: #"{emulator: {script: "gone.json5"}}"#),
        "gone.json5": script, "bun.json5": Self.scenario("Bun", device(3)),
      ]
      try withOpenStudio(width: 1280, files: files) { studio, _ in
        func run(_ name: String) throws {
          _ = try studio.fanfare.run(["run", "project/\(name).json5"])
        }
        try run("oats")
        try run("rye")
        for _ in 3...52 { try run("bun") }
        try studio.browser.click("#sides button[data-side=history]")
        let rows = "document.querySelectorAll('#history .line-row').length"
        try studio.browser.wait(until: "\(rows) === 50")
        try studio.press("More", in: "#history")
        try studio.browser.wait(until: "\(rows) === 52")
        // A row tells why its pushes were refused.
        try studio.wait(for: "Unregistered", in: "#history")
        let first = device(1)
        let searches = [
          ("1", "1 Oats"), ("oat", "1 Oats"), ("com.example.rye", "2 Rye"), ("Some Rye", "2 Rye"),
          ("Unregistered", "· 2 Rye"), ("unregistered", "· 2 Rye"),
          (String(first.suffix(8)), "· 1 Oats"),
        ]
        for (words, row) in searches {
          try studio.set("#history input[type=search]", to: words)
          try studio.browser.wait(until: "\(rows) === 1")
          try studio.wait(for: row, in: "#history .line-row")
        }
        try studio.set("#history input[type=search]", to: "Forbidden")
        try studio.wait(for: "Nothing matches.", in: "#history")
      }
    }

    @Test("says what a refusal means once")
    func meaning() throws {
      let files = [
        "rye.json5": Self.scenario("Rye", device(2)).replacing(
          "\"emulator\"", with: #"{emulator: {script: "bad.json5"}}"#),
        "bad.json5": #"{rules: [{answer: {reason: "BadCollapseId"}}]}"#,
      ]
      try withOpenStudio(width: 1280, files: files) { studio, _ in
        try studio.choose("rye.json5")
        try studio.pressSend()
        try studio.wait(for: "Shorten apns-collapse-id.", in: "#answer")
        let text = try studio.browser.value("document.querySelector('#answer').textContent").string
        #expect(text?.components(separatedBy: "longer than 64 bytes").count == 2)
      }
    }

    @Test("is not shown in place of a push that is read when a run ends")
    func reading() throws {
      let files = ["oats.json5": Self.scenario("Oats", device(1))]
      try withOpenStudio(width: 1280, files: files) { studio, _ in
        try studio.choose("oats.json5")
        try studio.pressSend()
        try studio.wait(for: "accepted 200", in: "#answer")
        try studio.browser.click("#sides button[data-side=history]")
        try studio.wait(for: "1 Oats", in: "#history .line-row")
        try studio.browser.click("#history .line-row")
        try studio.wait(for: "Run 1", in: "#history")
        try studio.pressSend()
        try studio.browser.wait(
          until: "document.querySelector('#said').textContent === 'accepted 200'")
        try studio.browser.wait(until: "!window.isUnderWay()")
        #expect(try studio.has("Run 1", in: "#history"))
      }
    }
  }

  @Suite("Whom the studio's page sends to")
  struct StudioRecipients {
    @Test("is marked where it is no device, before anything is sent")
    func unknownName() throws {
      let files = ["scenarios/bread.json5": StudioPageTests.scenario]
      try withOpenStudio(width: 1280, files: files) { studio, _ in
        try studio.choose("scenarios/bread.json5")
        try studio.browser.click("#to")
        try studio.fill("#choose-to", with: "zzz")
        try studio.browser.wait(
          until: "document.querySelector('#choose-to').getAttribute('aria-invalid') === 'true'")
        try studio.wait(for: "zzz", in: "#choose-wrong")
        try studio.fill("#choose-to", with: StudioPageTests.token)
        try studio.browser.wait(
          until: "document.querySelector('#choose-to').getAttribute('aria-invalid') === 'false'")
      }
    }

    @Test("can be 1,500 device tokens, and of too many it says what to do")
    func many() throws {
      let files = ["scenarios/bread.json5": StudioPageTests.scenario]
      try withOpenStudio(width: 1280, files: files, expecting: "413") { studio, _ in
        try studio.choose("scenarios/bread.json5")
        try studio.browser.click("#to")
        try studio.browser.wait(until: "document.querySelector('#choose-to')")
        try studio.set("#choose-to", to: tokenList(1500))
        try studio.wait(for: "emulator · 1,500 devices", in: "#plan")
        try studio.set("#choose-to", to: tokenList(9000))
        try studio.wait(for: "longer than 512 KiB. Put the device tokens into a list", in: "#plan")
      }
    }
  }
}
