import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

extension InboxPageTests {
  @Suite("The key")
  struct PageKey {
    @Test("leaves the address at once, and is kept by the tab alone", arguments: ["#", "?"])
    func address(_ mark: String) throws {
      try withOpenInbox { inbox in
        let browser = inbox.browser
        let printed = inbox.emulator.inbox
        #expect(printed.contains("/#key="))
        try browser.open("about:blank")
        try browser.open(printed.replacing("#", with: mark))
        try inbox.waitUntilLive()
        let place = "http://127.0.0.1:\(inbox.emulator.port)/"
        #expect(try browser.value("location.href").string == place)
        #expect(try browser.command("GET", "cookie") == [])
        #expect(try browser.value("Object.keys(localStorage)") == [])
        #expect(
          try browser.value("document.documentElement.outerHTML").string?.contains(inbox.key)
            == false)
        try browser.command("POST", "refresh", [:])
        try inbox.waitUntilLive()
      }
    }

    @Test("is asked for by a page without it, which says where it is")
    func missing() throws {
      try withOpenInbox { inbox in
        // Another name is another origin, which has nothing of what this one keeps.
        try inbox.browser.open("http://localhost:\(inbox.emulator.port)/")
        try inbox.wait(for: "URL that 'fanfare emulator' printed", in: "#door")
        #expect(
          try inbox.browser.value("document.querySelector('main').checkVisibility()") == false)
        for text in ["short", "http://127.0.0.1/"] {
          try enter(text, inbox)
          try inbox.wait(for: "No key found.", in: "#no-key")
        }
        try enter(inbox.emulator.inbox, inbox)
        try inbox.waitUntilLive()
        #expect(
          try inbox.browser.value("document.querySelector('#door').checkVisibility()") == false)
      }
    }

    @Test("that another emulator has is asked for again")
    func other() throws {
      try withOpenInbox(expecting: "Failed to load resource") { inbox in
        let first = try InboxProcess(inbox.fanfare)
        try inbox.browser.open(first.inbox)
        try inbox.waitUntilLive()
        try first.end()
        let second = try InboxProcess(inbox.fanfare, port: first.port)
        try inbox.wait(for: "The key is not valid any more", in: "#door")
        try enter(second.inbox, inbox)
        try inbox.waitUntilLive()
        try second.end()
      }
    }

    private func enter(_ text: String, _ inbox: OpenInbox) throws {
      try inbox.browser.run("document.querySelector('#key').value = ''")
      try inbox.browser.click("#key")
      try inbox.browser.type(text)
      try inbox.browser.click("#door button")
    }
  }
}
