import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

extension InboxPageTests {
  @Suite("What the page keeps")
  struct PageLists {
    @Test("is what the emulator keeps, and how much is gone")
    func kept() throws {
      try withOpenInbox(["--keep", "50"]) { inbox in
        try send(1...53, inbox)
        try inbox.browser.wait(until: "document.querySelector('#shown').textContent === '50'")
        try inbox.wait(for: "3 older ones gone: the emulator keeps 50.", in: "#gone")
        try inbox.wait(for: "50 devices", in: "#devices")
        try inbox.browser.run("document.querySelector('#pushes').focus()")
        try inbox.browser.press(.end)
        try inbox.browser.wait(
          until: "document.querySelector('#pushes [aria-selected=true]').ariaSetSize === '50'")
        #expect(try inbox.has(String(device(4).suffix(8)), in: "#pushes [aria-selected=true]"))
      }
    }

    @Test("looks stale while the connection is lost; what was missed is told afterwards")
    func lost() throws {
      try withOpenInbox(["--keep", "50"]) { inbox in
        let browser = inbox.browser
        try interceptFetch(browser)
        try inbox.open()
        try inbox.send(to: device(1), "--title", "Before")
        try inbox.wait(for: "Before", in: "#pushes")
        try browser.run("document.querySelector('#clear').click(); window.cut(true)")
        try inbox.wait(for: "what you see is from before", in: "#lost")
        #expect(try browser.value("document.querySelector('#clear').disabled") == true)
        #expect(try browser.value("document.querySelector('dialog').open") == false)
        #expect(
          try browser.value("getComputedStyle(document.querySelector('main')).filter") != "none")
        try send(2...61, inbox)
        try browser.run("window.cut(false)")
        try inbox.waitUntilLive()
        try inbox.wait(for: "10 of them were gone before this page could read them.", in: "#news")
        try inbox.wait(for: "11 older ones gone", in: "#gone")
        #expect(try browser.value("document.querySelector('#lost').checkVisibility()") == false)
        #expect(try browser.value("document.querySelector('#clear').disabled") == false)
      }
    }

    /// Gives the page a connection that the test can cut.
    private func interceptFetch(_ browser: Browser) throws {
      let source = """
        const real = window.fetch;
        let isCut = false;
        let line = new AbortController();
        window.cut = (on) => { isCut = on; line.abort(); line = new AbortController(); };
        window.fetch = (url, options) => isCut ? Promise.reject(new TypeError("cut"))
          : real(url, { ...options, signal: AbortSignal.any([line.signal, options.signal]
            .filter(Boolean)) });
        """
      try browser.developerTools(
        "Page.addScriptToEvaluateOnNewDocument", ["source": JSON(.string(source))])
      try browser.open("about:blank")
    }

    @Test("calls devices by their names, the latest first, and finds them by typing")
    func devices() throws {
      try withOpenInbox { inbox in
        let added = try inbox.fanfare.run(["device", "add", "annas-phone", device(2)])
        #expect(added.exitCode == 0, "\(added.errors)")
        let named = try InboxProcess(inbox.fanfare)
        try inbox.browser.open(named.inbox)
        try inbox.waitUntilLive()
        for number in [1, 2, 0xABC] {
          _ = try inbox.fanfare.run(
            named.send + InboxProcess.app + ["--to", device(number), "--title", "For \(number)"])
        }
        try inbox.wait(for: "00000abc", in: "#devices [aria-posinset='2']")
        try inbox.wait(for: "annas-phone", in: "#devices [aria-posinset='3']")
        try inbox.wait(for: "annas-phone", in: "#pushes")
        #expect(try inbox.has("Devices 3", in: "#devices-title"))
        try inbox.browser.run("document.querySelector('#devices').focus()")
        try inbox.browser.type("anna")
        try inbox.wait(for: "For 2", in: ".phone")
        try inbox.wait(for: "annas-phone", in: "#screen-title")
        try inbox.browser.press(.home)
        try inbox.browser.wait(until: "document.querySelector('#shown').textContent === '3'")
        // Else the page may complain of an end that is meant.
        try inbox.browser.open("about:blank")
        try named.end()
      }
    }

    private func send(_ numbers: ClosedRange<Int>, _ inbox: OpenInbox) throws {
      try inbox.fanfare.folder.write("list.txt", numbers.map { device($0) }.joined(separator: "\n"))
      _ = try inbox.fanfare.run(
        inbox.emulator.send + InboxProcess.app + [
          "--tokens", "list.txt", "--title", "News", "--connections", "1",
        ])
    }
  }
}
