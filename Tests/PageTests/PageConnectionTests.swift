import JSONText
import SendingSupport
import TestSupport
import Testing

extension InboxPageTests {
  @Suite("The connection")
  struct PageConnection {
    @Test("comes back when the emulator does, and shows only what that one received")
    func restart() throws {
      let key = "a-key-that-stays-0123456789"
      try withOpenInbox(expecting: "Failed to load resource") { inbox in
        let path = try inbox.fanfare.folder.writeSecret("inbox.key", key)
        let first = try InboxProcess(inbox.fanfare, ["--inbox-key", path])
        try inbox.browser.open(first.inbox)
        try send("Before", to: first, inbox)
        try inbox.wait(for: "Before", in: "#pushes")
        try first.end()
        try inbox.wait(for: "Connection lost", in: "#state")
        let second = try InboxProcess(
          inbox.fanfare, port: first.port, ["--inbox-key", path])
        try inbox.browser.wait(until: "document.querySelector('#state').textContent === 'Live'")
        try send("After", to: second, inbox)
        try inbox.wait(for: "After", in: "#pushes")
        #expect(try !inbox.has("Before", in: "#pushes"))
        try second.end()
      }
    }

    @Test("brings ten thousand pushes without a stall")
    func tenThousand() throws {
      try withOpenInbox { inbox in
        let browser = inbox.browser
        let tokens = (1...10_000).map { device($0) }.joined(separator: "\n")
        try inbox.fanfare.folder.write("list.txt", tokens)
        // The counts that the page drew, of which a page that stalls has the first and the last.
        try browser.run(
          """
          window.drawn = new Set();
          const look = () => {
            window.drawn.add(document.querySelector("#shown").textContent);
            requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
          """)
        _ = try inbox.fanfare.run(
          inbox.emulator.send + InboxProcess.app + ["--tokens", "list.txt", "--title", "News"])
        try browser.wait(until: "document.querySelector('#shown').textContent === '10,000'")
        let drawn = try browser.value("window.drawn.size").int ?? 0
        #expect(drawn > 9, "It drew \(drawn) counts.")
        #expect(try browser.value("document.querySelectorAll('*').length").int ?? .max < 1500)
        try browser.wait(until: "document.querySelector('#known').textContent === '10,000'")
        try browser.run("document.querySelector('#devices').focus()")
        try browser.type(String(device(9999).suffix(8)))
        try inbox.wait(for: "1 of 10,000", in: "#pushes-title")
        try browser.press(.home)
        try browser.run("document.querySelector('#pushes').focus()")
        try browser.press(.end)
        try browser.wait(
          until: "document.querySelector('#pushes [aria-selected=true]').ariaPosInSet === '10000'")
        try browser.open(inbox.emulator.inbox)
        try browser.wait(until: "document.querySelector('#shown').textContent === '10,000'")
      }
    }

    @Test("tells screen readers what arrives, but not of each push")
    func news() throws {
      try withOpenInbox { inbox in
        let browser = inbox.browser
        try browser.run(
          """
          window.said = [];
          new MutationObserver(() => window.said.push(document.querySelector('#news').textContent))
            .observe(document.querySelector('#news'), { childList: true });
          """)
        try inbox.fanfare.folder.write(
          "list.txt", (1...300).map { device($0) }.joined(separator: "\n"))
        _ = try inbox.fanfare.run(
          inbox.emulator.send + InboxProcess.app + ["--tokens", "list.txt", "--title", "News"])
        try browser.wait(until: "document.querySelector('#shown').textContent === '300'")
        try browser.wait(until: "window.said.length > 0")
        #expect(try browser.value("window.said.length").int ?? .max <= 2)
        #expect(try inbox.has("new pushes", in: "#news"))
      }
    }

    private func send(_ title: String, to emulator: InboxProcess, _ inbox: OpenInbox) throws {
      _ = try inbox.fanfare.run(
        emulator.send + InboxProcess.app + ["--to", device(1), "--title", title])
    }
  }
}
