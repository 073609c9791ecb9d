import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("The inbox's page", .needs("chromedriver"), .needs("curl"), SharedBrowsers())
struct InboxPageTests {
  /// An example of each push type, and what its row says.
  static let examples: [(type: String, example: String, says: String)] = [
    ("alert", "alert/plain", "200 accepted"), ("background", "background/sync", "Woke the app"),
    ("complication", "complication/headline", "Nothing is shown"),
    ("controls", "controls/reload", "Nothing is shown"),
    ("fileprovider", "fileprovider/folder", "Nothing is shown"),
    ("liveactivity", "liveactivity/update", "Live Activity: update"),
    ("location", "location/empty", "Nothing is shown"),
    // A provider token is not enough for it.
    ("mdm", "mdm/wake", "400 TopicDisallowed"),
    ("pushtotalk", "pushtotalk/speaker", "Nothing is shown"),
    ("voip", "voip/incoming-call", "Incoming call"),
    ("widgets", "widgets/reload", "Nothing is shown"),
  ]

  @Test("shows pushes of every type as they arrive")
  func types() throws {
    try withOpenInbox { inbox in
      for (number, row) in Self.examples.enumerated() {
        try inbox.send(to: device(number + 1), "--type", row.type, "--example", row.example)
        try inbox.wait(for: row.type, in: "#pushes .row[aria-posinset='1']")
        try inbox.wait(for: row.says, in: "#pushes .row[aria-posinset='1']")
      }
      #expect(try inbox.browser.value("document.querySelector('#shown').textContent") == "11")
    }
  }

  @Test("draws a notification with all that iOS shows, and what it does not show")
  func notification() throws {
    try withOpenInbox { inbox in
      try inbox.send(
        to: device(1), "--title", "Order ready", "--subtitle", "Number 7", "--body",
        "At the counter",
        "--badge", "3", "--sound", "chime.caf", "--thread-id", "orders", "--interruption-level",
        "time-sensitive")
      for text in ["Order ready", "Number 7", "At the counter", "chime.caf", "orders"] {
        try inbox.wait(for: text, in: ".phone")
      }
      #expect(try inbox.has("TIME SENSITIVE", in: ".phone"))
      #expect(try inbox.browser.value("document.querySelector('.badge').textContent") == "3")
      try inbox.send(to: device(1), "--title", "Another one", "--thread-id", "orders")
      try inbox.wait(for: "1 more notification in orders", in: ".phone")
      #expect(try !inbox.has("Order ready", in: ".phone"))
      try inbox.browser.click(".toggle")
      try inbox.wait(for: "Order ready", in: ".phone")
    }
  }

  @Test("replaces a notification by its collapse ID")
  func collapse() throws {
    try withOpenInbox { inbox in
      for title in ["Courier nearby", "Courier at the door"] {
        try inbox.send(to: device(1), "--title", title, "--collapse-id", "courier")
      }
      try inbox.wait(for: "Courier at the door", in: ".phone")
      try inbox.wait(for: "replaced 1 time", in: ".phone")
      #expect(try !inbox.has("Courier nearby", in: ".phone"))
      #expect(try inbox.browser.value("document.querySelectorAll('.card').length") == 1)
    }
  }

  @Test("shows a channel among the devices, and what it was sent")
  func channel() throws {
    try withOpenInbox { inbox in
      let made = try inbox.channel("create")
      let id = made.output.trimmingCharacters(in: .newlines)
      #expect(made.exitCode == 0 && !id.isEmpty, "\(made.errors)")
      try inbox.wait(for: "Create a channel", in: "#pushes")
      let words = ["--channel", id, "--event", "update", "--content-state", #"{"home": 2}"#]
      #expect(
        try inbox.fanfare.run(inbox.emulator.send + InboxProcess.app + words).exitCode == 0)
      try inbox.choose("Channel …\(id.suffix(8))", in: "#devices")
      try inbox.wait(for: "home", in: ".phone")
      #expect(try inbox.has("0 devices, 1 channel", in: "#devices"))
      try inbox.choose("Live Activity: update", in: "#pushes")
      try inbox.wait(for: "fanfare send", in: "#detail")
      #expect(try inbox.has("--channel", in: "#detail"))
    }
  }

  @Test("keeps a Live Activity's states over time")
  func liveActivity() throws {
    try withOpenInbox { inbox in
      for event in ["start", "update", "end"] {
        try inbox.send(
          to: device(1), "--type", "liveactivity", "--example", "liveactivity/\(event)")
      }
      try inbox.wait(for: "3 states", in: ".phone")
      try inbox.wait(for: "ENDED", in: ".phone")
      try inbox.browser.click(".toggle")
      try inbox.browser.wait(until: "document.querySelectorAll('.states li').length === 3")
    }
  }

  @Test("says why a push was refused, and what to do")
  func refused() throws {
    try withOpenInbox { inbox in
      try inbox.send(to: device(1), "--title", "Sale", "--priority", "7")
      try inbox.choose("400 BadPriority", in: "#pushes")
      for text in ["BadPriority", "Cause:", "Fix:", "apns-priority"] {
        try inbox.wait(for: text, in: "#detail")
      }
      #expect(try inbox.has("Not delivered: 400 BadPriority", in: "#screen"))
    }
  }

  @Test("searches and filters")
  func filters() throws {
    try withOpenInbox { inbox in
      try inbox.send(to: device(1), "--title", "Bread is ready")
      try inbox.send(to: device(2), "--title", "Rolls are ready")
      try inbox.send(to: device(2), "--title", "No such priority", "--priority", "7")
      try inbox.send(to: device(2), "--type", "background", "--example", "background/sync")
      let steps: [(String, String)] = [
        ("find.value = 'ROLLS ready'", "1 of 4"), ("find.value = ''", "4"),
        ("answer.value = 'refused'", "1 of 4"), ("answer.value = 'BadPriority'", "1 of 4"),
        ("answer.value = ''", "4"), ("type.value = 'background'", "1 of 4"),
        ("find.value = 'no such text'", "0 of 4"),
      ]
      try inbox.browser.wait(until: "document.querySelector('#shown').textContent === '4'")
      for (step, shown) in steps {
        try inbox.browser.run(
          "const [find, answer, type] = ['find', 'answer', 'type']"
            + ".map((id) => document.getElementById(id)); \(step);"
            + "find.dispatchEvent(new Event('input'))")
        try inbox.browser.wait(until: "document.querySelector('#shown').textContent === '\(shown)'")
      }
      try inbox.wait(for: "No push matches", in: "#hint")
    }
  }

  @Test("shows the pushes of one device")
  func devices() throws {
    try withOpenInbox { inbox in
      for number in 1...3 { try inbox.send(to: device(number), "--title", "For \(number)") }
      try inbox.choose("0002", in: "#devices")
      try inbox.wait(for: "1 of 3", in: "#pushes-title")
      try inbox.wait(for: "For 2", in: ".phone")
    }
  }

  @Test("pauses, and shows afterwards what came meanwhile")
  func pause() throws {
    try withOpenInbox { inbox in
      try inbox.browser.click("#pause")
      try inbox.send(to: device(1), "--title", "Meanwhile")
      try inbox.wait(for: "Paused, 1 new", in: "#state")
      #expect(try !inbox.has("Meanwhile", in: "#pushes"))
      try inbox.browser.click("#pause")
      try inbox.wait(for: "Meanwhile", in: "#pushes")
      try inbox.wait(for: "Live", in: "#state")
    }
  }

  @Test("clears the inbox once that is confirmed, and goes on")
  func clear() throws {
    try withOpenInbox { inbox in
      try inbox.send(to: device(1), "--title", "Old")
      try inbox.wait(for: "Old", in: "#pushes")
      try inbox.browser.click("#clear")
      try inbox.browser.click("#keep-all")
      #expect(try inbox.has("Old", in: "#pushes"))
      try inbox.browser.click("#clear")
      try inbox.browser.click("#clear-all")
      try inbox.wait(for: "No pushes yet", in: "#welcome")
      try inbox.send(to: device(1), "--title", "New")
      try inbox.wait(for: "New", in: "#pushes")
      #expect(try !inbox.has("Old", in: "#pushes"))
    }
  }
}
