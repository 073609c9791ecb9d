import JSONText
import SendingSupport
import TestSupport
import Testing

extension InboxPageTests {
  @Suite("Text that others wrote")
  struct HostileText {
    static let texts = [
      "<script>document.title = 'owned'</script>", "<img src=x onerror=\"document.title='owned'\">",
      "\u{202E}gnp.exe\u{202C} \u{2066}isolated", "'; $(touch owned) `touch owned` \"quoted\" \\",
      String(repeating: "W", count: 3800), "مرحبا بالعالم", "👩‍👩‍👧 👍🏽",
    ]

    @Test("is text and nothing else", arguments: texts)
    func isText(_ text: String) throws {
      try withOpenInbox { inbox in
        let browser = inbox.browser
        try browser.run("window.scripts = document.scripts.length")
        try inbox.send(to: device(1), "--title", text, "--collapse-id", "id")
        let title = try shown(text)
        try browser.wait(until: "document.querySelector('.card .title').textContent === \(title)")
        try browser.run("document.querySelector('#pushes .row').click()")
        try browser.wait(until: "document.querySelector('#detail pre').innerText.includes('aps')")
        #expect(try browser.value("document.title") == "fanfare inbox")
        #expect(try browser.value("document.scripts.length === window.scripts") == true)
        #expect(try browser.value("document.querySelectorAll('main img').length") == 0)
        try expectContained(inbox)
      }
    }

    @Test("is quoted in the commands to copy, which hold no secret", arguments: texts)
    func commands(_ text: String) throws {
      try withOpenInbox { inbox in
        try inbox.send(to: device(1), "--title", text)
        try inbox.browser.wait(until: "document.querySelector('#pushes .row')")
        try inbox.browser.run("document.querySelector('#pushes .row').click()")
        try inbox.browser.wait(
          until: "document.querySelectorAll('#detail .command pre').length === 2")
        let lines = try inbox.browser.value(
          "[...document.querySelectorAll('#detail .command pre')].map((line) => line.textContent)")
        for line in try #require(lines.array).compactMap(\.string) {
          #expect(!line.contains("eyJ"))
          let payload = try words(of: line, inbox).compactMap { try? JSON(text: $0) }
            .first { $0.object != nil }
          #expect(payload?["aps"]?["alert"]?["title"]?.string == text)
        }
        #expect(try !inbox.fanfare.folder.names().contains("owned"))
      }
    }

    /// The words that a shell gives to the commands of a line.
    private func words(of line: String, _ inbox: OpenInbox) throws -> [String] {
      let script = """
        fanfare() { if [ "$1" = token ]; then echo token; else printf '%s\\0' "$@"; fi; }
        curl() { printf '%s\\0' "$@"; }
        \(line)
        """
      let result = try run("bash", ["-c", script], in: inbox.fanfare.folder)
      #expect(result.exitCode == 0, "\(result.errors)")
      return result.output.split(separator: "\0").map(String.init)
    }

    /// Nothing is wider than its part of the page.
    private func expectContained(_ inbox: OpenInbox) throws {
      let wide = try inbox.browser.value(
        """
        [...document.querySelectorAll('.pane')].filter((pane) => [...pane.querySelectorAll('*')]
          .some((element) => element.checkVisibility() && !element.closest('.unseen')
            && element.getBoundingClientRect().right > pane.getBoundingClientRect().right + 1))
          .map((pane) => pane.dataset.pane)
        """)
      #expect(wide == [])
    }

    private func shown(_ text: String) throws -> String { JSON(.string(text)).encodedString() }
  }
}
