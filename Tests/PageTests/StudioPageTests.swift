import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@Suite("The studio's page", .needs("chromedriver"), .needs("curl"), SharedBrowsers())
struct StudioPageTests {
  static let token = String(repeating: "0a1b2c3d", count: 8)

  /// A scenario in which comments and order have to stay.
  static let scenario = """
    // First comment.
    {
      name: "Bread", // said to the team
      bundleID: "com.example.shop",
      environment: "emulator",
      recipients: ["\(token)"],
      notification: {
        /* inline */ type: "alert",
        payload: { aps: { alert: { title: "Old", body: "Body" }, badge: 1 } },
      },
    }

    """

  @Test(
    "composes, mends and sends a push, which is in the inbox and the history; again, edited",
    arguments: [375, 1280])
  func wholeWay(width: Int) throws {
    try withOpenStudio(width: width) { studio, _ in
      let inbox = try InboxProcess(studio.fanfare)
      try compose(studio)
      try mend(studio)
      try studio.set("#env", to: "inbox")
      try studio.wait(for: "--env=inbox", in: "#command")
      try studio.browser.click("#send")
      try studio.wait(for: "accepted 200", in: "#answer")
      try studio.wait(for: "apns-unique-id", in: "#answer")
      #expect(try titles(in: inbox, studio) == ["Order ready"])
      try sendAgainEdited(studio)
      #expect(try titles(in: inbox, studio) == ["Order ready", "Another title"])
      try inbox.end()
    }
  }

  private func compose(_ studio: OpenStudio) throws {
    try studio.view("files")
    try studio.wait(for: "There is no file yet.", in: "#files")
    try studio.browser.click("#new")
    try studio.browser.wait(until: "document.querySelector('#new-name')")
    try studio.fill("#new-name", with: "Order ready")
    try studio.browser.click("#dialog .main")
    try studio.wait(for: "scenarios/order-ready.json5", in: "#name")
    try studio.part("form")
    try studio.fill("#field-title", with: "Order ready")
    try studio.fill("#field-expiration", with: "1h")
    try studio.wait(for: "Order ready", in: ".phone .title")
    try studio.waitUntilSaved()
    #expect(
      try studio.project.text("scenarios/order-ready.json5").contains("title: \"Order ready\""))
  }

  /// A mistake is marked in the text and at the field, and mended by the fix that it names.
  private func mend(_ studio: OpenStudio) throws {
    try studio.part("text")
    try studio.browser.run(
      """
      const text = document.querySelector('#text');
      text.value = text.value.replace('aps: {', 'aps: { "interruption-level": "timesensitive",');
      text.dispatchEvent(new Event('input'));
      """)
    try studio.wait(for: "\"timesensitive\"", in: "#layer .mark-error")
    try studio.wait(for: "not passive, active, time-sensitive or critical", in: "#problems")
    try studio.part("form")
    try studio.browser.wait(
      until: "document.querySelector('#field-interruption-level[aria-invalid=true]')")
    try studio.press("Use time-sensitive", in: "#wrong-interruption-level")
    try studio.browser.wait(until: "document.querySelectorAll('.mark-error').length === 0")
    try tooLarge(studio)
    try studio.wait(for: "Time Sensitive", in: ".phone")
  }

  /// The bar shows a payload that is too large.
  private func tooLarge(_ studio: OpenStudio) throws {
    try studio.fill("#field-subtitle", with: "x")
    try studio.set("#field-subtitle", to: String(repeating: "x", count: 5000))
    try studio.browser.wait(
      until: "/^5,\\d+ of 4,096 bytes$/.test(document.querySelector('#problems .size').textContent)"
    )
    try studio.set("#field-subtitle", to: "")
    try studio.browser.wait(
      until: "/^\\d+ of 4,096 bytes$/.test(document.querySelector('#problems .size').textContent)")
  }

  private func sendAgainEdited(_ studio: OpenStudio) throws {
    try studio.browser.click("#sides button[data-side=history]")
    try studio.wait(for: "Order ready", in: "#history")
    try studio.browser.click("#history .line-row")
    try studio.wait(for: "Run 1", in: "#history")
    try studio.browser.wait(until: "document.querySelectorAll('#history .line-row').length === 1")
    try studio.browser.click("#history .line-row")
    try studio.wait(for: "curl --http2", in: "#history")
    try studio.wait(for: "fanfare send --env=inbox", in: "#history")
    try studio.press("Edit and send again", in: "#history")
    try studio.wait(for: "scenarios/order-ready-again.json5", in: "#name")
    try studio.part("form")
    // An hour, but for the time between planning and beginning.
    try studio.browser.wait(
      until: "/^3(600|5\\d\\d)s$/.test(document.querySelector('#field-expiration').value)")
    try studio.fill("#field-title", with: "Another title")
    try studio.browser.run("window.before = document.querySelector('#answer dl').textContent")
    try studio.pressSend()
    try studio.browser.wait(
      until: "document.querySelector('#answer dl').textContent !== window.before")
    try studio.wait(for: "accepted 200", in: "#answer")
  }

  /// The titles of what an inbox has received.
  private func titles(in inbox: InboxProcess, _ studio: OpenStudio) throws -> [String] {
    let parts = inbox.inbox.split(separator: "#key=")
    let words = ["-sS", "-H", "authorization: Bearer \(parts[1])", "\(parts[0])api/v1/pushes"]
    let answer = try JSON(text: TestSupport.run("curl", words, in: studio.fanfare.folder).output)
    let pushes = answer["pushes"]?.array ?? []
    return pushes.compactMap { $0["card"]?["title"]?.string }
  }

  @Test("sends the steps of a scenario, and shows what came of each", arguments: [375, 1280])
  func steps(width: Int) throws {
    let files = ["scenarios/bread.json5": Self.scenario]
    try withOpenStudio(width: width, files: files) { studio, _ in
      try studio.choose("scenarios/bread.json5")
      try studio.part("form")
      try studio.press("Add a step", in: ".steps")
      try studio.wait(for: "2 step", in: ".steps")
      try studio.fill("#field-title", with: "Second")
      try studio.wait(for: "Second", in: ".phone")
      try studio.press("1 step", in: ".steps")
      try studio.browser.wait(
        until: "!document.querySelector('.phone').textContent.includes('Second')")
      try studio.browser.wait(until: "document.querySelector('#field-title').value === 'Old'")
      try studio.press("+ Wait", in: ".steps")
      try studio.fill("#field-wait", with: "10ms")
      try studio.wait(for: "wait 10ms", in: ".steps")
      try studio.waitUntilSaved()
      #expect(try studio.project.text("scenarios/bread.json5").contains("/* inline */ type"))
      try studio.browser.click("#send")
      try studio.wait(for: "2 of 2 pushes accepted", in: "#answer")
      let rows = "document.querySelectorAll('.outcomes .accepted').length === 2"
      try studio.browser.wait(until: rows)
    }
  }

  @Test("sends to the devices of a group, and names the group in the command")
  func group() throws {
    let files = ["scenarios/bread.json5": Self.scenario]
    try withOpenStudio(width: 1280, files: files) { studio, process in
      for words in [["phone", device(1)], ["watch", device(2)], ["qa", "phone", "watch"]] {
        #expect(try studio.fanfare.run(["device", "add"] + words).exitCode == 0)
      }
      try studio.browser.open("about:blank")
      try studio.open(process.url)
      try studio.choose("scenarios/bread.json5")
      try studio.browser.click("#to")
      try studio.wait(for: "qaphone, watch", in: "#recipients")
      try studio.browser.run(
        """
        [...document.querySelectorAll('#recipients label')]
          .find((label) => label.textContent.startsWith('qa')).querySelector('input').click()
        """)
      try studio.wait(for: "--to=qa", in: "#command")
      try studio.wait(for: "qa, 2 devices", in: "#to-text")
      try studio.pressSend()
      try studio.wait(for: "2 of 2 pushes accepted", in: "#answer")
    }
  }

  @Test("offers the devices also when they come only after one has asked to whom")
  func lateDevices() throws {
    let files = ["scenarios/bread.json5": Self.scenario]
    try withOpenStudio(width: 1280, files: files) { studio, process in
      #expect(try studio.fanfare.run(["device", "add", "phone", device(1)]).exitCode == 0)
      try studio.browser.prepare(
        """
        const ask = window.fetch;
        window.fetch = async (url, options) => {
          if (options?.body?.includes('"device","list"')) {
            await new Promise((resolve) => { window.release = resolve; });
          }
          return ask(url, options);
        };
        """)
      try studio.browser.open("about:blank")
      try studio.open(process.url)
      try studio.choose("scenarios/bread.json5")
      try studio.browser.click("#to")
      try studio.browser.wait(until: "document.querySelector('#choose-to') && window.release")
      #expect(try !studio.has("phone", in: "#recipients"))
      try studio.browser.run("window.release()")
      try studio.wait(for: "phone", in: "#recipients")
    }
  }

  @Test("sends the same again while another file is open, and asks nothing that is of that file")
  func again() throws {
    let files = [
      "scenarios/bread.json5": Self.scenario,
      "scenarios/many.json5": Self.scenario.replacing(
        "[\"\(Self.token)\"]", with: "[\"../lists/many.txt\"]"),
      "lists/many.txt": tokenList(3),
    ]
    try withOpenStudio(width: 1280, files: files) { studio, _ in
      try studio.choose("scenarios/bread.json5")
      try studio.pressSend()
      try studio.wait(for: "run scenarios/bread.json5", in: "#answer")
      try studio.wait(for: "accepted 200", in: "#answer")
      try studio.choose("scenarios/many.json5")
      try studio.wait(for: "3 devices in the file", in: "#to-text")
      try studio.browser.run("window.before = document.querySelector('#answer dl').textContent")
      try studio.press("Again", in: "#answer")
      try studio.browser.wait(
        until: "document.querySelector('#answer dl').textContent !== window.before")
      try studio.wait(for: "run scenarios/bread.json5", in: "#answer")
      try studio.wait(for: "accepted 200", in: "#answer")
      #expect(try studio.browser.value("document.querySelector('#dialog').open") == false)
      try studio.press("Edit and send again", in: "#answer")
      try studio.wait(for: "scenarios/bread.json5", in: "#name")
    }
  }

  @Test("sends to a list, cancels and resumes", arguments: [375, 1280])
  func list(width: Int) throws {
    let rows = (1...400).map { "\(device($0)),Reader \($0)" }
    let slow = """
      {rules: [{delay: "100ms"}],
       settings: [{at: "firstToken", maxConcurrentStreams: 10}]}
      """
    let scenario = Self.scenario.replacing(
      "\"emulator\"", with: "{ emulator: { script: \"slow.json5\" } }"
    )
    .replacing("title: \"Old\"", with: "title: \"{{name}}\"")
    .replacing(
      "recipients:", with: "connections: 1,\n  variables: { name: \"Nobody\" },\n  recipients:"
    )
    let files = [
      "scenarios/bread.json5": scenario, "scenarios/slow.json5": slow,
      "lists/readers.csv": "token,name\n" + rows.joined(separator: "\n"),
    ]
    try withOpenStudio(width: width, files: files) { studio, _ in
      try studio.choose("scenarios/bread.json5")
      try studio.view("edit")
      try studio.browser.click("#to")
      try studio.browser.wait(until: "document.querySelector('#recipients fieldset input')")
      try studio.browser.click("#recipients fieldset input")
      try studio.wait(for: "Reader 1: Body", in: "#recipients .rows")
      try studio.wait(for: "lists/readers.csv, 400 devices", in: "#to-text")
      try studio.wait(for: "emulator · 400 devices · com.example.shop", in: "#plan")
      try studio.pressSend()
      try studio.browser.wait(until: "document.querySelector('#answer progress').value > 10")
      try studio.press("Cancel", in: "#answer")
      try studio.wait(for: "Cancelled: ", in: "#answer")
      try studio.wait(for: " of 400 pushes accepted", in: "#answer .verdict")
      try studio.press("Resume", in: "#answer")
      try studio.browser.wait(
        until: "/accepted/.test(document.querySelector('#answer .verdict').textContent)"
          + " && !/Cancelled|Sending/.test(document.querySelector('#answer .verdict').textContent)")
      let summary = try studio.fanfare.run(["history", "show", "1", "--json"]).output
      #expect(try JSON(text: summary)["accepted"]?.int == 400)
    }
  }
}

extension OpenStudio {
  /// Whether a part of the page shows a text.
  func has(_ text: String, in selector: String) throws -> Bool {
    try browser.value("document.querySelector('\(selector)').textContent")
      .string?.contains(text) == true
  }
}
