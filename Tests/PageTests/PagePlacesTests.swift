import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

extension InboxPageTests {
  @Suite("What the page shows where")
  struct PagePlaces {
    @Test("begins with one command, which works as it stands")
    func beginning() throws {
      try withOpenInbox { inbox in
        try inbox.wait(for: "No pushes yet", in: "#welcome")
        #expect(
          try inbox.browser.value("document.querySelector('main').checkVisibility()") == false)
        try inbox.browser.click("#first .copy")
        try inbox.browser.wait(
          until: "/Copied|Selected/.test(document.querySelector('#news').textContent)")
        try sendAsTold(inbox)
        try inbox.wait(for: "200 accepted", in: "#pushes")
        #expect(
          try inbox.browser.value("document.querySelector('#welcome').checkVisibility()") == false)
      }
    }

    @Test("begins with a device that the emulator knows, if it knows any")
    func knownDevice() throws {
      try withOpenInbox { inbox in
        let devices = """
          {"devices": [{"token": "\(device(1))", "topic": "com.example.gone", "unregisteredAt": 1},
            {"token": "\(device(2))", "topic": "com.example.known"}]}
          """
        let put = [
          "-sS", "--fail", "-X", "PUT", "-H", "content-type: application/json", "--data", devices,
          inbox.emulator.inbox.replacing("/#", with: "/api/v1/devices?"),
        ]
        #expect(try TestSupport.run("curl", put, in: inbox.fanfare.folder).exitCode == 0)
        try inbox.browser.command("POST", "refresh", [:])
        try inbox.wait(for: device(2), in: "#first")
        try sendAsTold(inbox)
        try inbox.wait(for: "200 accepted", in: "#pushes")
      }
    }

    /// Sends what the page says.
    private func sendAsTold(_ inbox: OpenInbox) throws {
      let line = try inbox.browser.value("document.querySelector('#first pre').textContent").string
      let words = try #require(line).replacing("\\\n", with: " ").split(separator: " ")
      let sent = try inbox.fanfare.run(words.dropFirst().map(String.init) + ["--no-history"])
      #expect(sent.exitCode == 0, "\(sent.errors)")
    }

    @Test("shows for all devices the screen that the last delivered push went to")
    func lastDelivered() throws {
      try withOpenInbox { inbox in
        try inbox.send(to: device(1), "--title", "Delivered")
        try inbox.send(to: device(2), "--title", "Refused", "--priority", "7")
        try inbox.wait(for: "400 BadPriority", in: "#pushes")
        try inbox.wait(for: "Delivered", in: ".phone")
        try inbox.wait(for: "00000001 · last delivered", in: "#screen-title")
        try inbox.choose("400 BadPriority", in: "#pushes")
        try inbox.wait(for: "Not delivered", in: "#screen")
        try inbox.choose("All", in: "#devices")
        try inbox.wait(for: "Delivered", in: ".phone")
      }
    }

    static let widths: [(width: Int, parts: [String])] = [
      (375, ["pushes"]), (800, ["pushes", "detail"]),
      (1440, ["devices", "screen", "pushes", "detail"]),
    ]

    @Test("shows as much at once as fits, and something in each part", arguments: widths)
    func room(_ row: (width: Int, parts: [String])) throws {
      try withOpenInbox { inbox in
        try inbox.send(to: device(1), "--title", "Hello", "--body", "World")
        try inbox.wait(for: "Hello", in: "#pushes")
        let browser = inbox.browser
        try browser.show(width: row.width, height: 812, scheme: "light")
        let parts = try browser.value(
          "[...document.querySelectorAll('.pane')].filter((pane) => pane.checkVisibility())"
            + ".map((pane) => pane.dataset.pane)")
        #expect(parts.array?.compactMap(\.string) == row.parts)
        try inbox.wait(for: "com.example.shop", in: "#detail")
        let top = try browser.value(
          "Math.ceil(document.querySelector('#pushes .row').getBoundingClientRect().top)")
        if row.width == 375 { #expect(top.int ?? .max <= 100) }
      }
    }

    @Test("has its filters at hand where there is no room for them")
    func narrow() throws {
      try withOpenInbox { inbox in
        for title in ["Bread", "Rolls"] { try inbox.send(to: device(1), "--title", title) }
        try inbox.wait(for: "Rolls", in: "#pushes")
        try inbox.browser.show(width: 375, height: 812, scheme: "light")
        try inbox.browser.click("#narrow")
        try inbox.browser.click("#find")
        try inbox.browser.type("bread")
        try inbox.wait(for: "1 of 2", in: "#pushes-title")
        try inbox.browser.click("#narrow")
        #expect(
          try inbox.browser.value("document.querySelector('#find').checkVisibility()") == false)
      }
    }

    @Test("outlines what is selected and what is live in forced colors")
    func forcedColors() throws {
      try withOpenInbox { inbox in
        try inbox.send(to: device(1), "--title", "Hello")
        try inbox.choose("Hello", in: "#pushes")
        try inbox.browser.show(width: 1280, height: 800, scheme: "light", forcedColors: true)
        for part in [
          "document.querySelector('#pushes [aria-selected=true]')",
          "document.querySelector('.card')", "document.querySelector('#state'), '::before'",
        ] {
          let style = try inbox.browser.value(
            "getComputedStyle(\(part)).outlineStyle + getComputedStyle(\(part)).borderTopStyle")
          #expect(style.string?.contains("solid") == true, "\(part)")
        }
      }
    }

    @Test("says what cannot be seen, keeps directions apart, and bounds a badge")
    func oddTexts() throws {
      try withOpenInbox { inbox in
        for title in ["\u{200B}", "\u{3164}", " \u{2800}"] {
          try inbox.send(to: device(1), "--title", title)
          try inbox.wait(
            for: "A title without a visible character", in: "#pushes [aria-posinset='1']")
          try inbox.wait(for: "A title without a visible character", in: ".phone .title")
        }
        let digits = String(repeating: "0", count: 60) + "1234"
        try inbox.send(to: digits, "--title", "Bread", "--body", "مرحبا بالعالم")
        try inbox.wait(for: "Bread", in: "#pushes [aria-posinset='1']")
        let texts = try inbox.browser.value(
          "[...document.querySelectorAll(\"#pushes [aria-posinset='1'] bdi\")]"
            + ".map((text) => text.textContent)")
        #expect(texts == ["alert", "…00001234", "مرحبا بالعالم"])
        try inbox.send(to: device(1), "--payload", #"{"aps":{"alert":"Many","badge":1e308}}"#)
        try inbox.browser.wait(until: "document.querySelector('.badge').textContent === '9999+'")
      }
    }
  }
}
